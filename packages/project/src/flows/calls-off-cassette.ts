import type { NodeOutcome, NodeWrapper, PlanNode } from '@unroll/engine';
import { notify, type ProjectHost } from '../host/project-host.ts';

/** Calls of models that code makes itself go past a cassette: which nodes made some is told once the run is over. */
export class CallsOffCassette {
  private readonly nodes = new Set<string>();

  readonly wrapper: NodeWrapper = {
    name: 'calls off the cassette',
    wrap: (prepared, { plan }) => {
      if (!runsOwnCode(plan)) return prepared;
      const heard = (outcome: NodeOutcome): NodeOutcome => {
        const { usage, cache } = outcome.report ?? {};
        if (usage !== undefined && cache !== 'hit') this.nodes.add(plan.instance?.family ?? plan.name);
        return outcome;
      };
      return {
        ...prepared,
        run: (inputs, call) => {
          const outcome = prepared.run(inputs, call);
          return outcome instanceof Promise ? outcome.then(heard) : heard(outcome);
        },
      };
    },
  };

  tell(file: string, host: ProjectHost): void {
    if (this.nodes.size === 0) return;
    const names = [...this.nodes].join(', ');
    const message = `models were asked by the code of ${names} itself: such calls are not on ${file}, and a replay asks the service again`;
    notify(host, { kind: 'warning', message });
  }
}

/** Tools of packages ask models through connections, as llm nodes do. */
function runsOwnCode({ definition: { type, source } }: PlanNode): boolean {
  return type === 'flex' || (type === 'python' && source?.tool === undefined);
}
