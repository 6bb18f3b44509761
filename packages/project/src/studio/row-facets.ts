import { filterRows, isScored } from '../row-index/filter-rows.ts';
import type { NodeIndex, RowIndex } from '../row-index/row-index.ts';
import type { RowMarks } from '../row-index/row-scores.ts';
import type { RowFilter, RowsPage } from '../studio-contract/contract.ts';

type Facet = RowsPage['facets'][number];

const maxFacets = 60;

/** Filters that leave some of the rows there are now, and not all of them. */
export function facets(
  index: RowIndex,
  marks: RowMarks,
  places: readonly number[],
  chosen: readonly RowFilter[],
): readonly Facet[] {
  const isChosen = new Set(chosen.map((filter) => JSON.stringify(filter)));
  const counted = [
    ...countBy(places, (at) => firstBadFilter(marks.firstBad.get(at))),
    ...countBy(places, (at) => statusFilter(index, at)),
    ...[...marks.scores.keys()].flatMap((metric) => scoreFacets(metric, marks, places)),
    ...[...index.loops.keys()].flatMap((loop) => countBy(places, (at) => turnsFilter(loop, index, at))),
    ...[...index.nodes].flatMap(([node, column]) => nodeFacets(node, column, places)),
    ...[...marks.labels.keys()].flatMap((name) => labelFacets(name, { index, marks, places })),
  ];
  return counted
    .filter(({ filter, rows }) => rows > 0 && rows < places.length && !isChosen.has(JSON.stringify(filter)))
    .slice(0, maxFacets);
}

interface Titled {
  readonly filter: RowFilter;
  readonly title: string;
}

/** Commonest first. */
function countBy(places: readonly number[], titledOf: (at: number) => Titled | undefined): readonly Facet[] {
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
  const is = statuses[at] ?? 'Completed';
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

interface Narrowed {
  readonly index: RowIndex;
  readonly marks: RowMarks;
  readonly places: readonly number[];
}

/** What people said, where they and the metric disagree, and where nobody said anything. */
function labelFacets(name: string, { index, marks, places }: Narrowed): readonly Facet[] {
  const left = new Set(places);
  const counted = (['disagrees', 'none'] as const).map((is): Facet => {
    const filter: RowFilter = { by: 'label', name, is };
    const rows = filterRows(index, marks, [filter]).reduce((sum, at) => sum + (left.has(at) ? 1 : 0), 0);
    return { filter, title: `label ${name}: ${is}`, rows };
  });
  return [...countBy(places, (at) => labelFilter(name, marks, at)), ...counted];
}

/** Of how a node ended what tells rows apart: that it ran in most of them does not. */
function nodeFacets(node: string, { statuses, cached }: NodeIndex, places: readonly number[]): readonly Facet[] {
  const counted = (is: Facet['filter'] & { by: 'node' }, holds: (at: number) => boolean): Facet => {
    const rows = places.reduce((sum, at) => sum + (holds(at) ? 1 : 0), 0);
    return { filter: is, title: `${node}: ${is.is.toLowerCase()}`, rows };
  };
  return [
    ...(['Failed', 'Bypassed'] as const).map((is) => counted({ by: 'node', node, is }, (at) => statuses[at] === is)),
    counted({ by: 'node', node, is: 'cached' }, (at) => cached[at] === true),
  ];
}

function scoreFacets(metric: string, { scores }: RowMarks, places: readonly number[]): readonly Facet[] {
  const column = scores.get(metric);
  if (column === undefined) return [];
  return (['broken', 'fixed', 'fail'] as const).map((is) => {
    const rows = places.reduce((sum, at) => sum + (isScored(column, at, is) ? 1 : 0), 0);
    const word = is === 'fail' ? 'fails' : is;
    return { filter: { by: 'score', metric, is }, title: `${metric}: ${word}`, rows };
  });
}
