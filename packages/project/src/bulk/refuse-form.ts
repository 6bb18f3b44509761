import { ProjectFailure } from '../host/project-failure.ts';

/**
 * A format or an encoding that is named for rows which have one already: those of standard input, or of a run.
 *
 * @throws ProjectFailure where one of them is another
 */
export function refuseForm(
  { dataFormat = 'jsonl', encoding = 'utf-8' }: Partial<Record<'dataFormat' | 'encoding', string | undefined>>,
  run?: string,
): void {
  const other = dataFormat === 'jsonl' ? (encoding === 'utf-8' ? undefined : encoding) : dataFormat;
  if (other === undefined) return;
  const message =
    run === undefined
      ? `standard input is read as JSONL in UTF-8, not as ${other}`
      : `the rows of run ${run} are read as they were recorded, not as ${other}`;
  throw new ProjectFailure(message, { help: 'Write the rows to a file and name it as data.' });
}
