import { type JsonObject, textOrJson } from '@unroll/engine';
import { fitWidth } from '@unroll/engine/text-width';
import type { BulkStatus, FailureGroup, Group, ProgressView } from '@unroll/project';
import { mostMessages, rowName } from '@unroll/project';
import {
  formatCost,
  formatCount,
  formatDuration,
  formatTokens,
  indentLines,
  summarizeValue,
} from '@unroll/project/words';
import type { Style } from '../text/style.ts';
import { type Cell, table } from '../text/table.ts';
import { stoppedText } from './progress-facts.ts';

export interface BulkSummary {
  readonly view: ProgressView;
  readonly metrics: JsonObject;
  readonly record: { readonly id: string; readonly path: string };
  /** The run as a further command names it. */
  readonly run: string;
  readonly status: BulkStatus;
  /** Names of the rows that failed, where they are to be listed. */
  readonly failed?: readonly string[];
  /** Whether the time is that since it went on, and the rest that of the whole run. */
  readonly isResumed?: boolean;
  /** What a run that stopped for its budget spent of it. */
  readonly budget?: string | undefined;
  /** Commands worth typing next. */
  readonly next: readonly string[];
}

/**
 * What came of a bulk run: nodes, failures, metrics, and where to look next.
 *
 * @param columns width of the terminal; absent: it is none
 */
export function bulkSummaryText(summary: BulkSummary, style: Style, columns: number | undefined): string {
  const { view, metrics } = summary;
  return [
    nodesTable(view.groups, style, columns),
    failuresText(view.failures, summary.run, style, columns ?? 100),
    failedText(summary.failed ?? [], style),
    metricsText(metrics, style),
    closingText(summary, style),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

const columnsOf = [
  { title: 'node' },
  ...['completed', 'failed', 'stopped', 'bypassed', 'cached', 'p50', 'p95', 'tokens', 'cost'].map((title) => {
    return { title, isNumber: true };
  }),
];

function nodesTable(groups: readonly Group[], style: Style, columns?: number): string {
  const lines = groups.flatMap((group): readonly (readonly Cell[])[] => {
    if (group.kind === 'loop') return [];
    const { completed, failed, canceled, bypassed, cached, p50Ms, p95Ms, usage, cost, isCostPartial } = group;
    const count = (amount: number, paint?: Cell['paint']): Cell => {
      return { text: amount === 0 ? '' : formatCount(amount), paint };
    };
    return [
      [
        { text: group.kind === 'family' ? `${group.name}[*]` : group.name },
        { text: formatCount(completed) },
        count(failed, style.bad),
        count(canceled, style.warn),
        count(bypassed),
        count(cached, style.name),
        { text: p50Ms === undefined ? '' : formatDuration(p50Ms) },
        { text: p95Ms === undefined ? '' : formatDuration(p95Ms) },
        count(usage?.totalTokens ?? 0),
        { text: cost === undefined ? '' : formatCost(cost, isCostPartial) },
      ],
    ];
  });
  const loops = groups.flatMap((group) =>
    group.kind === 'loop' && stoppedText(group.stopped) !== ''
      ? [
          `${style.dim(`↻ ${group.name}, rows by times round (at most ${group.times}):`)} ${stoppedText(group.stopped)}\n`,
        ]
      : [],
  );
  return table(columnsOf, lines, style.dim, columns) + loops.join('');
}

/** Failures by node and class, each with a command that shows one. */
function failuresText(failures: readonly FailureGroup[], run: string, style: Style, columns: number): string {
  if (failures.length === 0) return '';
  const blocks = failures.map(({ node, code, count, firstRow, message, messages }) => {
    const who = node ?? 'the flow';
    const rows = firstRow === undefined ? '' : `  ${count === 1 ? '1 row' : `${formatCount(count)} rows`}`;
    const lines = style.sentence(message.trim()).split('\n').slice(0, 3);
    return [
      `  ${style.bad(who)}  ${style.strong(code)}${rows}${style.dim(differentText(messages))}`,
      ...lines.map((line) => `    ${fitWidth(line, Math.max(20, columns - 5))}`),
      `    ${style.dim(showCommand(run, node, firstRow))}`,
    ].join('\n');
  });
  return `${style.strong('failures')}\n${blocks.join('\n')}\n`;
}

function differentText(messages: number): string {
  if (messages === 1) return '';
  return `, ${messages < mostMessages ? '' : 'at least '}${messages} different messages, the first of them:`;
}

const maxListed = 30;

function failedText(failed: readonly string[], style: Style): string {
  if (failed.length === 0) return '';
  const more = failed.length > maxListed ? `, and ${formatCount(failed.length - maxListed)} more` : '';
  return `${style.strong('failed rows')}\n  ${failed.slice(0, maxListed).join(', ')}${more}\n`;
}

function showCommand(run: string, node: string | undefined, row: FailureGroup['firstRow']): string {
  const parts = [
    `flow show ${run}`,
    ...(row === undefined ? [] : [`--row ${rowName(row)}`]),
    ...(node === undefined ? [] : [`--node ${node}`]),
  ];
  return parts.join(' ');
}

/** Columns of the name of a logged metric: code may log by any text. */
const longestName = 60;

function metricsText(metrics: JsonObject, style: Style): string {
  const entries = Object.entries(metrics);
  if (entries.length === 0) return '';
  const lines = entries.map(([logged, value]) => {
    const [name, text] = [summarizeValue(logged, longestName), textOrJson(value)];
    return text.includes('\n') ? `  ${style.name(name)}\n${indentLines(text, 4)}` : `  ${style.name(name)}  ${text}`;
  });
  return `${style.strong('metrics')}\n${lines.join('\n')}\n`;
}

function closingText({ view, record, status, next, budget, isResumed }: BulkSummary, style: Style): string {
  const { rows } = view;
  const amount = (count: number, word: string): string => (count === 0 ? '' : `${formatCount(count)} ${word}`);
  const since = isResumed === true ? ' since it went on' : '';
  const took = view.elapsedMs > 0 ? ` in ${formatDuration(view.elapsedMs)}${since}` : '';
  const facts = [
    `${statusWord(status, style)}${took}`,
    `${formatCount(rows.completed)} ${rows.completed === 1 ? 'row' : 'rows'} completed`,
    amount(rows.failed, 'failed'),
    amount(rows.canceled, 'stopped'),
    rows.total === undefined ? '' : amount(rows.total - rows.completed - rows.failed - rows.canceled, 'not run'),
    amount(rows.unfinished, 'unfinished'),
    amount(rows.cached, 'cached'),
    formatTokens(view.usage),
    view.cost === undefined ? '' : formatCost(view.cost, view.isCostPartial),
  ];
  return [
    facts.filter((fact) => fact !== '').join(', '),
    ...(budget === undefined ? [] : [`${style.warn('budget')}  reached: ${budget}`]),
    `${style.dim('record')}  ${record.path}`,
    ...next.map((command, index) => `${style.dim(index === 0 ? 'next' : '    ')}    ${command}`),
    '',
  ].join('\n');
}

function statusWord(status: BulkStatus, style: Style): string {
  if (status === 'Completed') return style.good('completed');
  if (status === 'Failed') return style.bad('failed');
  return style.warn(status === 'Canceled' ? 'stopped' : 'not ended');
}
