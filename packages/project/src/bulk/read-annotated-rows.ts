import type { DataRow, Plan } from '@unroll/engine';
import { readAnnotated } from '@unroll/promptflow';

/** A row whose values do not fit the code's annotations cannot run. */
export async function* readAnnotatedRows(plan: Plan, rows: AsyncIterable<DataRow>): AsyncGenerator<DataRow, void> {
  for await (const row of rows) {
    const read = 'problem' in row ? undefined : readAnnotated(plan, row.values);
    if (read?.ok === true) yield { ...row, values: read.inputs };
    else yield read === undefined ? row : { line: row.line, problem: read.error.message };
  }
}
