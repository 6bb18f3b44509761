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
  const tokens = found.flatMap((name) => {
    const tool = byName(name);
    return tool === undefined ? [] : [tokenOf(tool)];
  });
  return startEpisode({ ...options, found: tokens, maxNodes });
}
