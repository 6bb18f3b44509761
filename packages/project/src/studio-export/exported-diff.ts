import { DiffPages } from '../studio/diff-pages.ts';
import type { Language } from '../studio/lens.ts';
import type { Studio } from '../studio/studio.ts';
import { changeKind, type DiffOptions, type DiffPage, type DiffRows } from '../studio-contract/contract.ts';
import { type Answers, questionOf } from './answers.ts';

export interface DiffAsked {
  readonly left: string;
  readonly right: string;
  readonly evaluation?: string | undefined;
  readonly options?: DiffOptions;
  /** Pairs of rows that are told of each group, each kind and each node. */
  readonly rows: number;
  /** Places of one value that are told. */
  readonly places?: number | undefined;
  /** What is asked for besides groups and nodes: its rows are told first. */
  readonly first?: Narrowed;
  /** Characters of JSON that rows told in full take; those beyond it are left out. */
  readonly room?: number;
}

/** What a list of pairs is narrowed to. */
interface Narrowed {
  readonly group?: string | undefined;
  readonly node?: string | undefined;
  readonly only?: readonly (typeof changeKind.options)[number][] | undefined;
}

type ExportedPair = Pick<DiffRows['rows'][number], 'left' | 'right'>;

/** A page of two runs, and the pairs of rows that are told in full with it. */
export interface AddedDiff {
  readonly page: DiffPage;
  readonly told: readonly ExportedPair[];
}

/** Two runs beside each other: the page, the first rows of each group, kind and node, and each of them in full. */
export async function addDiff(asked: DiffAsked, into: Answers, studio: Studio): Promise<AddedDiff | undefined> {
  const { left, right, evaluation, options = {}, rows, first = {} } = asked;
  const pages = new DiffPages(studio);
  const compared = { left, right, ...options };
  const pageIn = (language: Language) => pages.page({ ...compared, evaluation, language }).then(byOneEvaluation);
  const question = questionOf('diff', { ...compared, evaluation });
  const page = await into.add(question, () => pageIn('en'));
  if (page === undefined) return undefined;
  await into.add(`${question}#ja`, () => pageIn('ja'));
  const lens = { ...compared, evaluation: page.evaluation };
  const lists = new Map<string, DiffRows>();
  for (const narrowed of [first, ...listsOf(page)]) {
    const list = questionOf('diff/rows', { ...lens, ...narrowed });
    for (const [name, language] of [[list, 'en'] as const, [`${list}#ja`, 'ja'] as const]) {
      if (lists.has(name)) continue;
      const found = await into.add(name, () => pages.rows({ ...lens, ...narrowed, limit: rows, language }));
      if (found !== undefined) lists.set(name, found);
    }
  }
  const pairs = await addPairs(
    [...lists.values()].flatMap((list) => list.rows),
    { ...asked, pages },
    into,
  );
  for (const [list, { rows: all, paging }] of lists) {
    const kept = all.filter((row) => pairs.has(placeText(row)));
    into.answers[list] = { rows: kept, paging: { ...paging, next: null } };
  }
  return { page, told: [...pairs.values()] };
}

/** Another one of them cannot be asked for. */
function byOneEvaluation(page: DiffPage): DiffPage {
  return { ...page, evaluations: page.evaluation === undefined ? [] : [page.evaluation] };
}

function listsOf({ groups, nodes }: DiffPage): readonly Narrowed[] {
  const changed = nodes.filter((node) => node.changed > 0);
  const kinds = changeKind.options.filter((kind) => changed.some((node) => (node.kinds[kind] ?? 0) > 0));
  return [
    ...groups.map(({ name: group }) => ({ group })),
    ...kinds.map((kind) => ({ only: [kind] })),
    ...changed.map(({ name: node }) => ({ node })),
    {},
  ];
}

/** @returns those that had room, by their places */
async function addPairs(
  pairs: DiffRows['rows'],
  { left, right, options = {}, places, pages, room = Number.POSITIVE_INFINITY }: DiffAsked & { pages: DiffPages },
  into: Answers,
): Promise<ReadonlyMap<string, ExportedPair>> {
  const added = new Map<string, ExportedPair>();
  let taken = 0;
  for (const pair of pairs) {
    const { line, repeat } = pair.right;
    if (added.has(placeText(pair)) || taken > room) continue;
    const asked = { left, right, ...options };
    const question = questionOf('diff/row', { ...asked, line: String(line), repeat: String(repeat) });
    const row = await into.add(question, () => pages.row({ ...asked, line, repeat, places }));
    if (row === undefined) continue;
    taken += JSON.stringify(row).length;
    added.set(placeText(pair), { left: pair.left, right: pair.right });
  }
  return added;
}

function placeText({ right: { line, repeat } }: ExportedPair): string {
  return `${line}/${repeat}`;
}
