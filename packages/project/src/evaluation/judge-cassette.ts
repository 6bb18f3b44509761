import { basename, join, parse } from 'node:path';
import { valueHash } from '@unroll/engine';
import type { NodeConnections } from '@unroll/evals';
import type { CassetteSettings } from '../flows/flow-settings.ts';

/**
 * A judge has a cassette of its own beside that of the flow: `tapes/agent.yaml`, `tapes/agent.judge-correctness.yaml`, and one
 * more for each choice of connections, which is told by a digest.
 */
export function judgeCassette(
  path: string,
  connections: NodeConnections | undefined,
  given: CassetteSettings | undefined,
): CassetteSettings | undefined {
  if (given === undefined) return undefined;
  const { dir, name, ext } = parse('replay' in given ? given.replay : given.record);
  const chosen = connections === undefined ? '' : `-${valueHash(connections).slice(0, 8)}`;
  const own = join(dir, `${name}.judge-${judgeName(path)}${chosen}${ext}`);
  return 'replay' in given ? { replay: own } : { ...given, record: own };
}

/** Of its folder; of a file that is not the folder's flow.dag.yaml its own. */
function judgeName(path: string): string {
  const { name, base, dir } = parse(path);
  return base.startsWith('flow.dag.') || base.startsWith('flow.flex.') ? basename(dir) : name;
}
