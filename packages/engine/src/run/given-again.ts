import type { NodeSuccess } from '../node/node-type.ts';
import type { FinishedNode } from '../node/row-scope.ts';
import type { JsonObject } from '../value/json.ts';
import { changedTogether, withSharedPlaces } from '../value/shared-places.ts';

/** What a node gave, from its record: what was one object is one again. @param inputs what the node is given now */
export function givenAgain(
  { output = null, beside, ...record }: FinishedNode & Pick<NodeSuccess, 'changed' | 'shared'>,
  inputs: JsonObject,
): Pick<NodeSuccess, 'ok' | 'output' | 'beside' | 'changed' | 'shared'> {
  const { shared = [] } = record;
  const changed = record.changed && changedTogether(record.changed, shared, inputs);
  return {
    ok: true,
    output: withSharedPlaces(output, shared, { ...inputs, ...changed }),
    ...(beside === undefined ? {} : { beside }),
    ...(changed === undefined ? {} : { changed }),
    ...(shared.length === 0 ? {} : { shared }),
  };
}
