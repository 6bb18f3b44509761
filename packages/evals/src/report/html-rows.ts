import type { EvalResult, FailingRow, FirstBadGroup, MetricResult } from '../eval-result/eval-result.ts';
import { count, escapeMarkup, valueText } from './markup.ts';
import { linesText } from './stringify-markdown.ts';
import { causeSentence, changeText, programText, worseText } from './verdict-text.ts';

/** Failing rows, a group for each first bad node; the largest stands open. */
export function failingRows(groups: readonly FirstBadGroup[]): string {
  return groups.map((group, at) => groupBlock(group, at === 0)).join('\n');
}

function groupBlock({ node, kind, rows, examples }: FirstBadGroup, isOpen: boolean): string {
  const what = kind === 'failed' ? 'the node failed' : `${escapeMarkup(kind)} fails`;
  const rest = rows - examples.length;
  const more = rest > 0 ? `<p class="facts">${count(rest, 'more row')}</p>` : '';
  const title = `<b><code>${escapeMarkup(node)}</code></b>: ${what} in ${count(rows, 'row')}`;
  return `<details${isOpen ? ' open' : ''}><summary>${title}</summary><div>${examples.map(rowBlock).join('')}${more}</div></details>`;
}

function rowBlock({ line, repeat, expected, actual, reason }: FailingRow): string {
  const name = `row ${line}${repeat === 0 ? '' : `, repetition ${repeat}`}`;
  const sides = `${side('expected', valueText(expected))}${side('actual', valueText(actual))}`;
  const why = reason === undefined ? '' : `<p class="facts">${escapeMarkup(reason)}</p>`;
  return `<div class="row"><h3>${name}</h3>${why}${sides === '' ? '' : `<div class="sides">${sides}</div>`}</div>`;
}

function side(name: 'expected' | 'actual', text: string | undefined): string {
  return text === undefined ? '' : `<div class="side ${name}"><b>${name}</b><pre>${escapeMarkup(text)}</pre></div>`;
}

/** What changed since the baseline, what got worse first, and which rows turned. */
export function sinceBaseline({ comparison, metrics, baseline }: EvalResult): string {
  if (comparison === undefined || baseline === undefined) return '';
  const { changes, firstWorse, paired, pairedBy, onlyBefore, onlyAfter, dataChanged } = comparison;
  const program = programText(comparison);
  const rows = [
    `${count(paired, 'row')} of run <code>${escapeMarkup(baseline.id)}</code> (${dateText(baseline.startedAt)}) compared, paired by ${pairedBy}`,
    ...(onlyBefore === 0 ? [] : [`${count(onlyBefore, 'row')} only in the baseline`]),
    ...(onlyAfter === 0 ? [] : [`${count(onlyAfter, 'new row')}`]),
    ...(dataChanged === true ? ['the data changed'] : []),
  ];
  return [
    `<p class="facts">${rows.join('; ')}.</p>`,
    changesList(changes),
    ...(program === undefined ? [] : [`<p>${escapeMarkup(program)}</p>`]),
    worseList(firstWorse, comparison),
    flipsTable(metrics),
  ].join('\n');
}

type Whole = NonNullable<EvalResult['comparison']>;

function changesList(changes: Whole['changes']): string {
  if (changes === undefined)
    return '<p>What changed in the flow is not known: a run does not tell its definitions.</p>';
  if (changes.length === 0) return '<p>No definition of a node changed.</p>';
  const items = changes.map(
    (change) => `<li><code>${escapeMarkup(change.node)}</code>: ${escapeMarkup(changeText(change))}</li>`,
  );
  return `<h3>Definitions that changed</h3><ul>${items.join('')}</ul>`;
}

function worseList(groups: Whole['firstWorse'], comparison: Whole): string {
  if (groups.length === 0) return '<p>No row got worse.</p>';
  const items = groups.map((group) => {
    const lines = linesText(group.lines, group.rows);
    return `<li><code>${escapeMarkup(group.node)}</code>: ${escapeMarkup(worseText(group))} (${lines}). ${escapeMarkup(causeSentence(group, comparison))}</li>`;
  });
  return `<h3>Got worse first at</h3><ul>${items.join('')}</ul>`;
}

function flipsTable(metrics: readonly MetricResult[]): string {
  const turned = metrics.flatMap(({ name, comparison }) => {
    const flips = comparison?.flips;
    return flips === undefined || flips.fixed + flips.broken === 0 ? [] : [{ name, flips }];
  });
  if (turned.length === 0) return '';
  const rows = turned.map(
    ({ name, flips }) =>
      `<tr><th scope="row">${escapeMarkup(name)}</th><td>${turnedCell(flips.fixed, flips.fixedLines, 'is-good')}</td><td>${turnedCell(flips.broken, flips.brokenLines, 'is-bad')}</td></tr>`,
  );
  return `<h3>Rows that turned</h3><div class="wide" role="region" aria-label="Rows that turned" tabindex="0"><table><thead><tr><th scope="col">metric</th><th scope="col">fixed</th><th scope="col">broken</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

function turnedCell(number: number, lines: readonly number[] | undefined, tone: string): string {
  if (number === 0) return '0';
  const told = lines === undefined ? '' : `<span class="note">${linesText(lines, number)}</span>`;
  return `<span class="tone ${tone}">${number}</span>${told}`;
}

/** `2026-11-21 06:45 UTC`. */
export function dateText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
