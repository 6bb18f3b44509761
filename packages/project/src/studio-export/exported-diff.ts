import { DiffPages } from '../studio/diff-pages.ts';
import type { Studio } from '../studio/studio.ts';
import type { DiffPage, DiffRows } from '../studio-contract/contract.ts';
import { type Answers, questionOf } from './answers.ts';

export interface DiffAsked {
  readonly left: string;
  readonly right: string;
  readonly evaluation?: string | undefined;
  /** Pairs of rows that are told of each group and of each node. */
  readonly rows: number;
}

/** Two runs beside each other: the page, the first rows of each group and of each node, and each of them in full. */
export async function addDiff(
  { left, right, evaluation, rows }: DiffAsked,
  into: Answers,
  studio: Studio,
): Promise<DiffPage | undefined> {
  const pages = new DiffPages(studio);
  const asked = { left, right };
  const page = await into.add(questionOf('diff', { ...asked, evaluation }), () => pages.page({ ...asked, evaluation }));
  if (page === undefined) return undefined;
  const lens = { ...asked, evaluation: page.evaluation };
  const shown = new Map<string, DiffRows['rows'][number]['right']>();
  const list = async (of: { readonly group?: string; readonly node?: string }): Promise<void> => {
    const found = await into.add(questionOf('diff/rows', { ...lens, ...of }), () =>
      pages
        .rows({ ...lens, ...of, limit: rows })
        .then((answer) => ({ ...answer, paging: { ...answer.paging, next: null } })),
    );
    for (const { right: at } of found?.rows ?? []) shown.set(`${at.line}/${at.repeat}`, at);
  };
  for (const { name } of page.groups) await list({ group: name });
  for (const { name, changed } of page.nodes) if (changed > 0) await list({ node: name });
  await list({});
  for (const at of shown.values()) {
    const place = { line: at.line, repeat: at.repeat };
    const question = questionOf('diff/row', { ...asked, line: String(at.line), repeat: String(at.repeat) });
    await into.add(question, () => pages.row({ ...asked, ...place }));
  }
  return page;
}
