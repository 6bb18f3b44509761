import { type RunnableFlow, unseenHelp, unseenWords } from '@unroll/engine';
import { notify, type ProjectHost } from '../host/project-host.ts';

const maxNamed = 5;

/**
 * Says once a run which nodes `--since` will run again because nobody can compare what their code reads.
 *
 * @param of the flow, where there may be others: `my-flow: `
 */
export function reportUnseen(flow: Pick<RunnableFlow, 'unseen'>, host: Pick<ProjectHost, 'report'>, of = ''): void {
  const nodes = Object.entries(flow.unseen());
  if (nodes.length === 0) return;
  const named = nodes.slice(0, maxNamed).map(([node, what]) => `${node} (${what.join(', ')})`);
  const more = nodes.length > maxNamed ? `, ${nodes.length - maxNamed} more` : '';
  notify(host, {
    kind: 'warning',
    message: `${of}${unseenWords}: ${named.join(', ')}${more}\n  ${unseenHelp}`,
  });
}
