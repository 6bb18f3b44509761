import type { PreparedNode } from '../node/node-type.ts';
import { givenAgain } from './given-again.ts';

/** A node that ended for a row in an earlier attempt gives all that its record holds, and does not run again. */
export function withRecordedResults(node: PreparedNode): PreparedNode {
  return {
    ...node,
    run: (inputs, call) => {
      const record = call.finished?.get(call.node);
      const isMissing = record === undefined || (node.givesBeside === true && record.beside === undefined);
      return isMissing ? node.run(inputs, call) : givenAgain(record, inputs);
    },
  };
}
