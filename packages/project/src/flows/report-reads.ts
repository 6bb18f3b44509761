import type { RunnableFlow } from '@unroll/engine';
import { notify, type ProjectHost } from '../host/project-host.ts';
import { reportUnseen } from './report-unseen.ts';

/** Says once a run what is to be known of what its code read. @param of the flow, where there may be others: `my-flow: ` */
export function reportReads(
  flow: Pick<RunnableFlow, 'unseen' | 'codeChanged'>,
  host: Pick<ProjectHost, 'report'>,
  of = '',
): void {
  reportUnseen(flow, host, of);
  const files = flow.codeChanged();
  if (files.length === 0) return;
  const was = files.length === 1 ? 'was' : 'were';
  notify(host, {
    kind: 'warning',
    message:
      `${of}${files.join(', ')} ${was} changed while the run went on: some rows ran the code from before, others the code from after\n` +
      '  run it again for rows of one version',
  });
}
