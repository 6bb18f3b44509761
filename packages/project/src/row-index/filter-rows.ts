import type { NodeStatus } from '@unroll/engine';
import type { RowFilter } from '../studio-contract/contract.ts';
import type { RowIndex } from './row-index.ts';
import type { RowMarks, ScoreColumn } from './row-scores.ts';
import { foldText } from './search-text.ts';

type Test = (at: number) => boolean;

/** Places of the rows that all filters leave, in their order; of one kind and name any is enough. */
export function filterRows(index: RowIndex, marks: RowMarks, filters: readonly RowFilter[]): readonly number[] {
  const alternatives = [...Map.groupBy(filters, subjectOf).values()];
  const tests = alternatives.map((group) => anyOf(group.map((filter) => testOf(filter, index, marks))));
  return [...index.lines.keys()].filter((at) => tests.every((test) => test(at)));
}

/** Texts must all be found; of anything else two values are alternatives. */
function subjectOf(filter: RowFilter): string {
  switch (filter.by) {
    case 'node':
      return `node ${filter.node}`;
    case 'turns':
      return `turns ${filter.loop}`;
    case 'score':
    case 'score-range':
      return `${filter.by} ${filter.metric}`;
    case 'label':
      return `label ${filter.name}`;
    case 'text':
      return `text ${filter.is}`;
    default:
      return filter.by;
  }
}

function anyOf(tests: readonly Test[]): Test {
  const [only] = tests;
  return tests.length === 1 && only !== undefined ? only : (at) => tests.some((test) => test(at));
}

function testOf(filter: RowFilter, index: RowIndex, marks: RowMarks): Test {
  switch (filter.by) {
    case 'status':
      return (at) => index.statuses[at] === filter.is;
    case 'node':
      return nodeTest(filter.node, filter.is, index);
    case 'turns': {
      const loop = index.loops.get(filter.loop);
      if (filter.is === 0) return (at) => loop?.ended[at] === false;
      return (at) => loop?.ran[at] === filter.is;
    }
    case 'score': {
      const column = marks.scores.get(filter.metric);
      return column === undefined ? () => filter.is === 'none' : (at) => isScored(column, at, filter.is);
    }
    case 'score-range': {
      const { above = -Infinity, below = Infinity } = filter;
      const values = marks.scores.get(filter.metric)?.values;
      return (at) => values !== undefined && (values[at] ?? Number.NaN) > above && (values[at] ?? Number.NaN) < below;
    }
    case 'first-bad':
      return (at) => marks.firstBad.get(at) === filter.node;
    case 'label':
      return labelTest(filter.name, filter.is, marks);
    case 'text': {
      const wanted = foldText(filter.is);
      return (at) => index.texts[at]?.includes(wanted) === true;
    }
  }
}

/** A node, or any instance of a loop's node where the name is one of none. */
function nodeTest(name: string, is: NodeStatus | 'cached', index: RowIndex): Test {
  const own = index.nodes.get(name);
  const isInstance = (one: string): boolean =>
    one.startsWith(`${name}_`) && /^\d+(_\d+)*$/.test(one.slice(name.length + 1));
  const columns = own === undefined ? [...index.nodes].filter(([one]) => isInstance(one)).map(([, one]) => one) : [own];
  if (is === 'cached') return (at) => columns.some(({ cached }) => cached[at] === true);
  return (at) => columns.some(({ statuses }) => statuses[at] === is);
}

/** How a score stands, or how it turned against the run before. */
export function isScored({ kind, better, values, before }: ScoreColumn, at: number, is: ScoreState): boolean {
  const value = values[at] ?? Number.NaN;
  const isPass = kind === 'pass';
  const gained = (value - (before?.[at] ?? Number.NaN)) * (better === 'higher' ? 1 : -1);
  const holds: Readonly<Record<ScoreState, boolean>> = {
    none: Number.isNaN(value),
    pass: isPass && value === 1,
    fail: isPass && value === 0,
    broken: isPass && gained < 0,
    fixed: isPass && gained > 0,
    worse: gained < 0,
    better: gained > 0,
  };
  return holds[is];
}

type ScoreState = Extract<RowFilter, { by: 'score' }>['is'];

function labelTest(name: string, is: Extract<RowFilter, { by: 'label' }>['is'], marks: RowMarks): Test {
  const labels = marks.labels.get(name);
  if (is === 'none') return (at) => labels?.has(at) !== true;
  if (is === 'any') return (at) => labels?.has(at) === true;
  if (is !== 'disagrees') return (at) => labels?.get(at) === is;
  const column = marks.scores.get(name);
  return (at) => {
    const label = labels?.get(at);
    const value = column?.values[at];
    return (label === 'pass' && value === 0) || (label === 'fail' && value === 1);
  };
}
