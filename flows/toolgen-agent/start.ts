import { type EpisodeState, startEpisode, tokenOf } from '@unroll/nodes/toolgen';
import { openApis } from './apis.ts';

interface Inputs {
  readonly query: string;
  /** Names of the tools that were found, best first. */
  readonly found: readonly string[];
  readonly given: readonly string[];
  readonly constrained: boolean;
  readonly retry: boolean;
  readonly max_nodes: number;
}

/** The first state of an episode. */
export default function start({ found, max_nodes: maxNodes, ...options }: Inputs): EpisodeState {
  const { byName } = openApis();
  const tools = found.map(byName).filter((tool) => tool !== undefined);
  const descriptions = Object.fromEntries(tools.map((tool) => [tokenOf(tool), tool.description]));
  return startEpisode({ ...options, found: tools.map(tokenOf), descriptions, maxNodes });
}
