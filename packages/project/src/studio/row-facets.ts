import { isScored } from '../row-index/filter-rows.ts';
import { rowStatusName } from '../row-index/row-columns.ts';
import type { RowIndex } from '../row-index/row-index.ts';
import type { RowMarks } from '../row-index/row-scores.ts';
import type { RowFilter, RowsPage } from '../studio-contract/contract.ts';

type Facet = RowsPage['facets'][number];

const mostFacets = 24;

/** Filters that leave some of the rows there are now, and not all of them. */
export function facets(
  index: RowIndex,
  marks: RowMarks,
  places: Int32Array,
  chosen: readonly RowFilter[],
): readonly Facet[] {
  const isChosen = new Set(chosen.map((filter) => JSON.stringify(filter)));
  const counted = [
    ...countBy(places, (at) => firstBadFilter(marks.firstBad.get(at))),
    ...countBy(places, (at) => statusFilter(index, at)),
    ...[...marks.scores.keys()].flatMap((metric) => scoreFacets(metric, marks, places)),
    ...[...index.loops.keys()].flatMap((loop) => countBy(places, (at) => turnsFilter(loop, index, at))),
    ...[...marks.labels.keys()].flatMap((name) => countBy(places, (at) => labelFilter(name, marks, at))),
    ...(marks.changed === undefined ? [] : countBy(places, (at) => changedFilter(marks, at))),
  ];
  return counted
    .filter(({ filter, rows }) => rows > 0 && rows < places.length && !isChosen.has(JSON.stringify(filter)))
    .slice(0, mostFacets);
}

interface Titled {
  readonly filter: RowFilter;
  readonly title: string;
}

/** Commonest first. */
function countBy(places: Int32Array, titledOf: (at: number) => Titled | undefined): readonly Facet[] {
  const counts = new Map<string, Titled & { rows: number }>();
  for (const at of places) {
    const titled = titledOf(at);
    if (titled === undefined) continue;
    const known = counts.get(titled.title);
    if (known === undefined) counts.set(titled.title, { ...titled, rows: 1 });
    else known.rows += 1;
  }
  return [...counts.values()].sort((one, other) => other.rows - one.rows);
}

function firstBadFilter(node: string | undefined): Titled | undefined {
  return node === undefined ? undefined : { filter: { by: 'first-bad', node }, title: `first bad: ${node}` };
}

function statusFilter({ statuses }: RowIndex, at: number): Titled {
  const is = rowStatusName(statuses[at] ?? 0);
  return { filter: { by: 'status', is }, title: is.toLowerCase() };
}

function turnsFilter(loop: string, { loops }: RowIndex, at: number): Titled {
  const is = loops.get(loop)?.ran[at] ?? 0;
  return { filter: { by: 'turns', loop, is }, title: loops.size === 1 ? `turns: ${is}` : `turns of ${loop}: ${is}` };
}

function labelFilter(name: string, { labels }: RowMarks, at: number): Titled | undefined {
  const is = labels.get(name)?.get(at);
  return is === undefined ? undefined : { filter: { by: 'label', name, is }, title: `label ${name}: ${is}` };
}

function changedFilter({ changed }: RowMarks, at: number): Titled {
  const is = changed?.has(at) === true ? 'changed' : 'same';
  return { filter: { by: 'answer', is }, title: `answer ${is}` };
}

function scoreFacets(metric: string, { scores }: RowMarks, places: Int32Array): readonly Facet[] {
  const column = scores.get(metric);
  if (column === undefined) return [];
  return (['broken', 'fixed', 'fail'] as const).map((is) => {
    const rows = places.reduce((sum, at) => sum + (isScored(column, at, is) ? 1 : 0), 0);
    const word = is === 'fail' ? 'fails' : is;
    return { filter: { by: 'score', metric, is }, title: `${metric}: ${word}`, rows };
  });
}
