import type { JsonObject, RowRun } from '@unroll/engine';
import { isScored } from '../row-index/filter-rows.ts';
import type { RowIndex } from '../row-index/row-index.ts';
import type { RowMarks, ScoreColumn } from '../row-index/row-scores.ts';
import type { CellScore, RowLine } from '../studio-contract/contract.ts';
import type { ScoredRecord } from './evaluations.ts';
import { costFigure, countFigure, durationFigure, scoreFigure } from './figures.ts';
import { languageOf, preview } from './value-view.ts';

export interface RowContext {
  readonly index: RowIndex;
  readonly marks: RowMarks;
  readonly scored: ScoredRecord | undefined;
}

/** A row of the table. @param at its place in the index */
export function rowLine(row: RowRun, at: number, about: RowContext): RowLine {
  return { ...marked(at, about), ...rowTexts(row) };
}

/** What went in and came out, as it stands in cells. */
export function rowTexts({
  inputs,
  outputs,
  error,
}: RowRun): Pick<RowLine, 'inputs' | 'outputs' | 'error' | 'language'> {
  const texts = previews(inputs);
  return {
    inputs: texts,
    outputs: previews(outputs),
    error: error && { code: error.code, message: error.message, node: error.node },
    language: languageOf(Object.values(texts).join('\n')),
  };
}

/** What is known of a row of which the record cannot be read. */
export function unreadableRow(at: number, message: string, about: RowContext): RowLine {
  return { ...marked(at, about), inputs: {}, outputs: {}, error: { code: 'RunDamaged', message } };
}

function marked(at: number, { index, marks, scored }: RowContext): Omit<RowLine, 'inputs' | 'outputs'> {
  const firstBad = marks.firstBad.get(at);
  const labels = [...marks.labels].flatMap(([name, ofRows]) => {
    const label = ofRows.get(at);
    return label === undefined ? [] : [[name, label] as const];
  });
  const turns = [...index.loops].map(([name, { times, ran, ended }]) => {
    return [name, { ran: ran[at] ?? 0, times, ended: ended[at] === true }] as const;
  });
  return {
    line: index.lines[at] ?? 0,
    repeat: index.repeats[at] ?? 0,
    status: index.statuses[at] ?? 'Completed',
    firstBad,
    turns: Object.fromEntries(turns),
    scores: cellScores(at, marks, scored),
    labels: Object.fromEntries(labels),
    tokens: countFigure(index.tokens[at] ?? 0, 'tokens'),
    cost: costFigure(index.costs[at], index.partial[at] === true),
    duration: durationFigure(index.durations[at]),
  };
}

export function cellScores(
  at: number,
  marks: RowMarks,
  scored: ScoredRecord | undefined,
): Readonly<Record<string, CellScore>> {
  const cells = (scored?.result.metrics ?? []).flatMap((metric): readonly (readonly [string, CellScore])[] => {
    const column = marks.scores.get(metric.name);
    if (column === undefined) return [];
    const value = column.values[at] ?? Number.NaN;
    const flip = flipOf(column, at);
    return [
      [
        metric.name,
        {
          figure: scoreFigure(value, metric),
          ...(metric.kind === 'pass' && !Number.isNaN(value) ? { passed: value === 1 } : {}),
          flip,
        },
      ],
    ];
  });
  return Object.fromEntries(cells);
}

function flipOf(column: ScoreColumn, at: number): CellScore['flip'] {
  return (['broken', 'fixed', 'better', 'worse'] as const).find((is) => isScored(column, at, is));
}

function previews(values: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, preview(value)]));
}
