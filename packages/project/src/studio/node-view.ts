import type { NodeRun, RunInfo, RunNode } from '@unroll/engine';
import type { NodeExplanation } from '../explain/explain-row.ts';
import { differencesIn, explanationSentence } from '../explain/explanation-words.ts';
import type { PriceOf } from '../prices/node-prices.ts';
import { spentBy } from '../prices/spent.ts';
import type { CellScore, NodeView, Why } from '../studio-contract/contract.ts';
import { summarizeValue } from '../words/index.ts';
import { conversation } from './conversation.ts';
import type { ScoredRecord } from './evaluations.ts';
import { costFigure, countFigure, durationFigure } from './figures.ts';
import type { Language } from './lens.ts';
import { sentence } from './sentences.ts';
import { valueChanges } from './value-changes.ts';
import { valueView } from './value-view.ts';

export interface NodeSubject {
  readonly info: RunInfo;
  /** Of the row; milliseconds since the epoch. */
  readonly startedAt: number;
  readonly priceOf: PriceOf;
  /** By name. */
  readonly told: ReadonlyMap<string, NodeExplanation>;
  /** Run its explanations compare with, and the row as it is named. */
  readonly against: string | undefined;
  readonly row: string;
  readonly scored: ScoredRecord | undefined;
  readonly scores: Readonly<Record<string, CellScore>>;
  readonly firstBad: string | undefined;
  readonly language: Language;
}

const didWidth = 72;

/** One node of a row with all that was recorded of it. */
export function nodeView(node: RunNode, run: NodeRun, subject: NodeSubject): NodeView {
  const { info, startedAt } = subject;
  const { inputs, output, error, usage, cache, cachedFrom, fingerprint, logs, promptMessages } = run;
  return {
    ...placed(node, run),
    start: run.startedAt === undefined ? undefined : Math.max(0, run.startedAt - startedAt),
    duration: durationFigure(run.durationMs),
    did: didText(output),
    inputs: valueView(inputs, `${node.name}.inputs`),
    output: valueView(output, `${node.name}.output`),
    error: error && errorOf(error),
    conversation: conversation(run),
    request: promptMessages === undefined ? undefined : valueView(promptMessages, `${node.name}.request`),
    tries: triesOf(run, startedAt),
    tokens: usage && tokensOf(usage),
    cost: costOf(run, subject.priceOf),
    settings: settingsOf(node.name, info),
    reads: [...(node.readsInputs ?? []).map((name) => `inputs.${name}`), ...(node.reads ?? [])],
    readBy: info.nodes.flatMap(({ name, reads = [] }) => (reads.includes(node.name) ? [name] : [])),
    fingerprint,
    cache,
    takenFrom: cachedFrom,
    why: whyOf(subject.told.get(node.name), subject),
    scores: scoresOf(node, subject),
    printed: logs && { out: valueView(logs.stdout), error: valueView(logs.stderr) },
    warnings: run.warnings ?? [],
    redacted: run.redacted ?? [],
    ...(node.aggregation === true ? { isOverRows: true } : {}),
    isFirstBad: subject.firstBad === node.name || subject.firstBad === `${node.family}[*]`,
  };
}

/** `search_faq({"query": …})`, `answered: …`: what a reader looks for first. */
function didText(output: NodeRun['output']): string | undefined {
  return output === undefined || output === null ? undefined : summarizeValue(output, didWidth) || undefined;
}

function placed(
  node: RunNode,
  { kind, status }: NodeRun,
): Pick<NodeView, 'name' | 'kind' | 'status' | 'loop' | 'family' | 'iteration' | 'written'> {
  const { name, loop, family, iteration, place } = node;
  return {
    ...{ name, kind, status },
    loop,
    family,
    iteration,
    written: place,
  };
}

function errorOf({
  code,
  message,
  retryable,
  ...details
}: NonNullable<NodeRun['error']>): NonNullable<NodeView['error']> {
  const more = Object.keys(details).length > 0;
  const json = { ...details } as Parameters<typeof valueView>[0];
  return { code, message, retryable, ...(more ? { details: valueView(json) } : {}) };
}

/** From the first on; where each began is worked out from the start of the node. */
function triesOf({ attempts = [], startedAt }: NodeRun, rowStart: number): NodeView['tries'] {
  let start = startedAt === undefined ? undefined : startedAt - rowStart;
  return attempts.map(({ error, waitedMs, durationMs, fallback }) => {
    const begins = start === undefined ? undefined : start + waitedMs;
    start = begins === undefined ? undefined : begins + durationMs;
    const details = { ...(waitedMs > 0 ? { waitedMs } : {}), ...(fallback === undefined ? {} : { fallback }) };
    return {
      start: begins,
      duration: durationFigure(durationMs),
      error: error && `${error.code}: ${error.message}`,
      ...(Object.keys(details).length === 0 ? {} : { details: valueView(details) }),
    };
  });
}

function tokensOf({
  promptTokens,
  completionTokens,
  totalTokens,
  details,
}: NonNullable<NodeRun['usage']>): NonNullable<NodeView['tokens']> {
  const cached = details?.cachedTokens;
  return {
    total: countFigure(totalTokens, 'tokens'),
    prompt: countFigure(promptTokens, 'tokens'),
    completion: countFigure(completionTokens, 'tokens'),
    cached: cached === undefined ? undefined : countFigure(cached, 'tokens'),
  };
}

function costOf(run: NodeRun, priceOf: PriceOf): NodeView['cost'] {
  const { cost, isCostPartial } = spentBy([run], priceOf);
  return costFigure(cost, isCostPartial);
}

const shownParts = /^(?:input (.+)|(connection|template|code|index|retry|timeout))$/;
const longestSetting = 200;

/** What its definition says in short: model, temperature, connection. */
function settingsOf(node: string, { nodeDefinitions }: RunInfo): NodeView['settings'] {
  return Object.entries(nodeDefinitions?.[node] ?? {}).flatMap(([part, value]) => {
    const [, input, other] = shownParts.exec(part) ?? [];
    const name = input ?? other;
    return name === undefined || /^[0-9a-f]{32,}$/.test(value) ? [] : [{ name, value: value.slice(0, longestSetting) }];
  });
}

function whyOf(told: NodeExplanation | undefined, { against, row, info, language }: NodeSubject): Why | undefined {
  if (told === undefined) return undefined;
  const { explanation } = told;
  if (explanation.kind === 'ran' && explanation.because.kind === 'nothing to take from') return undefined;
  const text = explanationSentence(explanation, { run: info.id, against, row }, language);
  const isBypassed = explanation.kind === 'not run' && explanation.status === 'Bypassed';
  const run = explanation.kind === 'taken' && differencesIn(explanation).length === 0 ? explanation.from : against;
  return {
    text: sentence('why', `${text.charAt(0).toUpperCase()}${text.slice(1)}${language === 'ja' ? '。' : '.'}`),
    kind: isBypassed ? 'bypassed' : explanation.kind,
    run,
    changes: differencesIn(explanation).map(({ part, changes, from }) => ({
      part,
      changes: valueChanges(changes),
      from,
    })),
  };
}

function scoresOf({ name, family }: RunNode, { scored, scores }: NodeSubject): NodeView['scores'] {
  const own = (scored?.result.metrics ?? []).filter(
    ({ node }) => node === name || (node !== undefined && node === family),
  );
  return own.flatMap(({ name: metric }) => {
    const score = scores[metric];
    return score === undefined ? [] : [{ metric, score }];
  });
}
