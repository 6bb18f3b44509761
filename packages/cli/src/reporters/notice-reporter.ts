import type { Notice, Reporter } from '@unroll/project';
import type { Io } from '../io.ts';
import type { OutputSettings } from '../output-settings.ts';
import { diagnosticsText } from '../text/diagnostics-text.ts';
import { styleOf } from '../text/style.ts';
import { driftText } from './drift-text.ts';

/** Writes what is doubtful, and ends nothing, to stderr. */
export function createNoticeReporter(settings: OutputSettings, io: Io): Reporter {
  return (event) => {
    if (event.type === 'notice') printNotice(event.notice, settings, io);
  };
}

function printNotice(notice: Notice, { json = false, quiet = false, color }: OutputSettings, io: Io): void {
  const style = styleOf(io.stderr, io, color);
  if (notice.kind === 'warning') io.stderr.write(`${style.warn('warning')}: ${style.sentence(notice.message)}\n`);
  else if (notice.kind === 'sample') io.stderr.write('inputs are those of the sample\n');
  else if (notice.kind === 'damage') io.damage.add(notice.record, notice.damage);
  else if (notice.kind === 'note' && !quiet) io.stderr.write(`note: ${style.sentence(notice.message)}\n`);
  else if (notice.kind === 'diagnostics' && !json) {
    io.stderr.write(`${diagnosticsText(notice.diagnostics, style)}\n\n`);
  } else if (notice.kind === 'cassette' && !quiet) {
    const layout = { style, columns: io.stderr.columns ?? 100 };
    io.stderr.write(driftText(notice.drift, { file: notice.file, mode: notice.mode, ...layout }));
  }
}
