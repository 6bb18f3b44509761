import { ProjectFailure } from '../host/project-failure.ts';

/**
 * A format or an encoding that is named for rows which have one already.
 *
 * @param what has it: `standard input is read as JSONL in UTF-8`
 * @throws ProjectFailure where one of them is another
 */
export function refuseForm(
  { dataFormat = 'jsonl', encoding = 'utf-8' }: Partial<Record<'dataFormat' | 'encoding', string | undefined>>,
  what: string,
): void {
  const other = dataFormat === 'jsonl' ? (encoding === 'utf-8' ? undefined : encoding) : dataFormat;
  if (other === undefined) return;
  throw new ProjectFailure(`${what}, not as ${other}`, { help: 'Write the rows to a file and name it as data.' });
}
