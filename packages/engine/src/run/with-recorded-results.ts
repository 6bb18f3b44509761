import type { PreparedNode } from '../node/node-type.ts';

/** A node that ended for a row in an earlier attempt gives all that its record holds, and does not run again. */
export function withRecordedResults(node: PreparedNode): PreparedNode {
  return {
    ...node,
    run: (inputs, call) => {
      const record = call.finished?.get(call.node);
      if (record === undefined || (node.givesBeside === true && record.beside === undefined))
        return node.run(inputs, call);
      const { output = null, beside, changed } = record;
      return {
        ok: true,
        output,
        ...(beside === undefined ? {} : { beside }),
        ...(changed === undefined ? {} : { changed }),
      };
    },
  };
}
