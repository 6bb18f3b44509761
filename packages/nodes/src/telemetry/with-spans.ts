import { currentTrace, type NodeWrapper } from '@unroll/engine';
import { RowSpans } from './row-spans.ts';

/** A span round each node that runs, whatever its type. */
export const withSpans: NodeWrapper = {
  name: 'spans',
  wrap: (prepared, { plan }) => ({
    ...prepared,
    run: (inputs, call) => {
      const row = currentTrace();
      const run = () => prepared.run(inputs, call);
      return row instanceof RowSpans ? row.runNode(plan, call, run) : run();
    },
  }),
};
