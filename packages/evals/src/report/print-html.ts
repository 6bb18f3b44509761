import { hash } from 'node:crypto';
import type { EvalResult } from '../score-run/eval-result.ts';
import { distribution } from './charts/distribution.ts';
import { iterationCards } from './html-families.ts';
import { metricsTable } from './html-metrics.ts';
import { dateText, failingRows, sinceBaseline } from './html-rows.ts';
import { htmlStyle } from './html-style.ts';
import { count, escapeMarkup } from './markup.ts';
import { numberText } from './score-text.ts';
import { isPassed, verdictSentences } from './verdict-text.ts';

export interface HtmlOptions {
  /** The flow coloured by its metrics: one SVG element, itself safe to put into a page. */
  readonly graph?: string;
}

/**
 * The evaluation as one file that needs nothing else: no script, nothing from the network, which its own content security
 * policy forbids; light and dark as the reader's system is.
 */
export function printHtml(result: EvalResult, { graph }: HtmlOptions = {}): string {
  const sections = [
    { id: 'metrics', title: 'Metrics', body: metricsTable(result) },
    { id: 'flow', title: 'The flow by its metrics', body: graphBlock(graph) },
    { id: 'baseline', title: 'Since the baseline', body: sinceBaseline(result) },
    { id: 'failing', title: 'Failing rows by first bad node', body: failingRows(result.firstBad) },
    { id: 'iterations', title: 'By iteration', body: iterationCards(result) },
    { id: 'distributions', title: 'Distributions', body: distributions(result) },
  ].filter(({ body }) => body !== '');
  const links = sections.map(({ id, title }) => `<a href="#${id}">${title}</a>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(graph)}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeMarkup(`${result.name}: evaluation of ${result.run.id}`)}</title>
<style>${styleOf(graph)}</style>
</head>
<body>
<header>
<h1>${escapeMarkup(result.name)}</h1>
${facts(result)}
${verdict(result)}
<nav aria-label="Sections">${links.join('')}</nav>
</header>
<main>
${sections.map(({ id, title, body }) => `<section id="${id}"><h2>${title}</h2>\n${body}\n</section>`).join('\n')}
</main>
</body>
</html>
`;
}

/** A wide flow is not made smaller than can be read; it is scrolled. */
function styleOf(graph: string | undefined): string {
  const width = Number(/^<svg [^>]*?\bwidth="(\d+)"/.exec(graph ?? '')?.[1] ?? 0);
  return width === 0 ? htmlStyle : `${htmlStyle}\n.picture svg{min-width:${Math.round(width * leastScale)}px}`;
}

const leastScale = 0.8;

/** Only the styles of this page, known by their digests. */
function policy(graph: string | undefined): string {
  const inGraph = Array.from((graph ?? '').matchAll(/<style>([\s\S]*?)<\/style>/g), ([, style = '']) => style);
  const styles = [styleOf(graph), ...inGraph].map((style) => `'sha256-${hash('sha256', style, 'base64')}'`);
  return `default-src 'none'; style-src ${styles.join(' ')}; base-uri 'none'; form-action 'none'`;
}

function facts({ run, rows }: EvalResult): string {
  const { usage } = run;
  const parts = [
    `run <code>${escapeMarkup(run.path ?? run.id)}</code>`,
    `flow <code>${escapeMarkup(run.flow)}</code>`,
    dateText(run.startedAt),
    `${count(rows.total, 'row')}${rows.repeats > 1 ? `, each ${rows.repeats} times` : ''}`,
    ...(rows.failed === 0 ? [] : [`${rows.failed} failed`]),
    ...(rows.unfinished === 0 ? [] : [`${rows.unfinished} unfinished`]),
    ...(usage === undefined ? [] : [`${numberText(usage.promptTokens + usage.completionTokens)} tokens`]),
    ...(usage?.cost === undefined ? [] : [`$${usage.cost.toFixed(usage.cost < 0.1 ? 4 : 2)}`]),
  ];
  return `<p class="facts">${parts.join(' · ')}</p>`;
}

function verdict(result: EvalResult): string {
  const sentences = verdictSentences(result);
  if (sentences.length === 0) return '';
  const isGated = result.metrics.some(({ gate }) => gate !== undefined);
  const tone = !isPassed(result) ? ' is-bad' : isGated ? ' is-good' : '';
  return `<div class="verdict${tone}">${sentences.map((sentence) => `<p>${escapeMarkup(sentence)}</p>`).join('')}</div>`;
}

function graphBlock(graph: string | undefined): string {
  if (graph === undefined) return '';
  const legend =
    'Green: what is measured there is 90 % or more; amber: 70 % or more; red: less, a gate fails, or worse than the baseline; grey: not measured.';
  return `<div class="picture" role="region" aria-label="The flow" tabindex="0">${graph}</div><p class="legend">${legend}</p>`;
}

/** More charts than these are shown when they are asked for. */
const mostOpen = 12;

function distributions({ metrics }: EvalResult): string {
  const cards = metrics.flatMap((metric) => {
    const chart = distribution(metric);
    const unit = metric.unit === undefined ? '' : ` (${metric.unit})`;
    return chart === '' ? [] : [`<div class="card"><h3>${escapeMarkup(metric.name)}${unit}</h3>${chart}</div>`];
  });
  const all = `<div class="cards">${cards.join('\n')}</div>`;
  if (cards.length <= mostOpen) return cards.length === 0 ? '' : all;
  return `<details><summary>of ${count(cards.length, 'metric')}</summary><div>${all}</div></details>`;
}
