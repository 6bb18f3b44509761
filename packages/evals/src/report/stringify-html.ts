import { hash } from 'node:crypto';
import type { EvalResult } from '../eval-result/eval-result.ts';
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
  /** The same from top to bottom, for where that is too wide. */
  readonly tallGraph?: string;
}

/**
 * The evaluation as one file that needs nothing else: no script, nothing from the network, which its own content security
 * policy forbids; light and dark as the reader's system is.
 */
export function stringifyHtml(result: EvalResult, { graph: wide, tallGraph }: HtmlOptions = {}): string {
  const graph = chosenGraph(wide, tallGraph);
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

type Graph = { readonly markup: string; readonly style: string };

/** A flow is not made smaller than can be read: where it is too wide it is shown from top to bottom, else it is scrolled. */
function chosenGraph(wide: string | undefined, tall: string | undefined): Graph | undefined {
  if (wide === undefined) return undefined;
  const [width, tallWidth] = [wide, tall ?? ''].map(leastWidth) as [number, number];
  const least = (name: string, pixels: number): string => `.picture .${name} svg{min-width:${pixels}px}`;
  if (tall === undefined) return { markup: `<div class="flow-wide">${wide}</div>`, style: least('flow-wide', width) };
  // Each has arrow heads of its own: those of a picture that is not shown are not there for the other.
  const own = tall.replaceAll('id="head-', 'id="tall-head-').replaceAll('url(#head-', 'url(#tall-head-');
  const markup = `<div class="flow-wide">${wide}</div><div class="flow-tall">${own}</div>`;
  const from = width + besidePicture;
  const isEver = from <= widestPage;
  const style = [
    least('flow-wide', width),
    least('flow-tall', tallWidth),
    isEver ? `.flow-tall{display:none}@media (max-width:${from}px){` : '',
    '.flow-wide{display:none}.flow-tall{display:block}',
    isEver ? '}' : '',
  ].join('');
  return { markup: isEver ? markup : `<div class="flow-tall">${own}</div>`, style };
}

/** Pixels of a picture that is just large enough to be read. */
function leastWidth(graph: string): number {
  return Math.round(Number(/^<svg [^>]*?\bwidth="(\d+)"/.exec(graph)?.[1] ?? 0) * leastScale);
}

const leastScale = 0.8;
const widestPage = 1240;
/** Pixels of margins and borders. */
const besidePicture = 66;

function styleOf(graph: Graph | undefined): string {
  return graph === undefined ? htmlStyle : `${htmlStyle}\n${graph.style}`;
}

/** Only the styles of this page, known by their digests. */
function policy(graph: Graph | undefined): string {
  const inGraph = Array.from((graph?.markup ?? '').matchAll(/<style>([\s\S]*?)<\/style>/g), ([, style = '']) => style);
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

function graphBlock(graph: Graph | undefined): string {
  if (graph === undefined) return '';
  const legend =
    'Green: what is measured there is 90 % or more; amber: 70 % or more; red: less, a gate fails, or worse than the baseline; grey: not measured.';
  return `<div class="picture" role="region" aria-label="The flow" tabindex="0">${graph.markup}</div><p class="legend">${legend}</p>`;
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
