import {
  type EvalResult,
  type MetricResult,
  type Slice,
  type SlicedColumn,
  scoreText,
  sliceNotes,
  sliceText,
  sliceVerdictText,
} from '@unroll/evals';
import { formatCount } from '@unroll/project/words';
import type { Style } from '../text/style.ts';
import { type Cell, table } from '../text/table.ts';
import { comparisonCell } from './comparison-cell.ts';
import { type NarrowColumn, narrowed } from './narrow-table.ts';

/** A table for each column by which scores are told apart: its values, one below the other, metric by metric. */
export function slicesText(result: EvalResult, style: Style, width: number | undefined): string {
  const { slices = [] } = result;
  const method = sliceVerdictText(result);
  const tables = slices.map((column) => columnText(column, result, { style, width }));
  return [...tables, ...(method === undefined ? [] : [`  ${style.dim(method)}\n`])].join('');
}

interface Layout {
  readonly style: Style;
  /** Cells of the terminal; undefined where there is none. */
  readonly width: number | undefined;
}

const indent = '  ';

function columnText(sliced: SlicedColumn, result: EvalResult, { style, width }: Layout): string {
  const rows = result.metrics.flatMap((metric) => metricRows(sliced, metric, style));
  const columns = columnsOf(sliced.column);
  const fitted = width === undefined ? { columns, rows } : narrowed(columns, rows, width - indent.length);
  const lines = [
    ...(rows.length === 0 ? [] : table(fitted.columns, fitted.rows, style.dim).trimEnd().split('\n')),
    ...sliceNotes(sliced, result).map(style.warn),
  ];
  return `\n${style.strong(`by ${sliced.column}`)}\n${lines.map((line) => `${indent}${line}\n`).join('')}`;
}

function columnsOf(column: string): readonly NarrowColumn[] {
  return [
    { title: 'metric', least: 12 },
    { title: column, least: 12 },
    { title: 'rows', isNumber: true, leavesAt: 1 },
    { title: 'mean', isNumber: true },
    { title: '95 %' },
    { title: 'n', isNumber: true },
    { title: 'compared', leavesAt: 2 },
  ];
}

/** The metric is named once. */
function metricRows({ slices }: SlicedColumn, metric: MetricResult, style: Style): readonly (readonly Cell[])[] {
  const rows = slices.flatMap((slice) => sliceCells(slice, metric, style));
  return rows.map((cells, at) => [{ text: at === 0 ? metric.name : '', paint: style.name }, ...cells]);
}

function sliceCells(slice: Slice, metric: MetricResult, style: Style): readonly (readonly Cell[])[] {
  const found = slice.metrics.find(({ name }) => name === metric.name);
  if (found === undefined) return [];
  const { mean, interval, scored, comparison } = found;
  const between =
    interval === undefined ? '' : `${scoreText(interval.low, metric)} – ${scoreText(interval.high, metric)}`;
  return [
    [
      { text: sliceText(slice), ...(slice.value === null ? { paint: style.dim } : {}) },
      { text: formatCount(slice.lines.length) },
      { text: mean === null ? '–' : scoreText(mean, metric), paint: style.strong },
      { text: between },
      { text: formatCount(scored) },
      comparisonCell(comparison, metric, style),
    ],
  ];
}
