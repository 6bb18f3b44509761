import type { JsonValue, NodeRun, RowPairId, RowRun, RunReader } from '@unroll/engine';
import { type Attribution, classOf, diffValues, partsText, type RowChange, type ValueChange } from '@unroll/evals';
import type { NodeReport, NodeResult, RowReport } from './diff-report.ts';

export interface ReportRowOptions {
  readonly left: RunReader;
  readonly right: RunReader;
  /** What differs in the pair. */
  readonly changes: readonly RowChange[];
  /** What is told in full; absent for the changes everything else follows from. */
  readonly isAsked: ((change: RowChange) => boolean) | undefined;
  /** Name of a node in the left run. */
  readonly leftName: (node: string) => string;
}

/** One pair of rows with what they hold. */
export async function reportRow(pair: RowPairId, options: ReportRowOptions): Promise<RowReport> {
  const { left, right, changes, isAsked } = options;
  const one = await left.row(pair.left.line, pair.left.repeat);
  const other = await right.row(pair.right.line, pair.right.repeat);
  const lefts = byNode(await left.nodes(pair.left.line, pair.left.repeat));
  const rights = byNode(await right.nodes(pair.right.line, pair.right.repeat));
  const chosen = changes.filter(isAsked ?? isOrigin);
  const shown = chosen.length > 0 ? chosen : changes.slice(0, 1);
  return {
    left: pair.left,
    right: pair.right,
    inputs: other?.inputs ?? {},
    inputChanges: diffValues(one?.inputs ?? {}, other?.inputs ?? {}),
    ...(one?.status === other?.status ? {} : { ended: { left: endOf(one), right: endOf(other) } }),
    outputChanges: diffValues(outputsOf(one), outputsOf(other)),
    nodes: shown.map(({ pair: nodes, attribution }): NodeReport => {
      const { node } = nodes;
      const [oneRun, otherRun] = [lefts.get(options.leftName(node)), rights.get(node)];
      const [was, is] = [resultOf(oneRun), resultOf(otherRun)];
      const about = { node, class: classOf(nodes), kind: attribution.kind, why: whyText(attribution) };
      const promptChanges = promptChangesOf(attribution, oneRun, otherRun);
      return { ...about, left: was, right: is, promptChanges, changes: diffValues(was.value, is.value) };
    }),
    others: changes
      .filter((change) => !shown.includes(change))
      .map(({ pair: { node }, attribution: { kind } }) => ({ node, kind })),
  };
}

function promptChangesOf(
  { kind }: Attribution,
  left: NodeRun | undefined,
  right: NodeRun | undefined,
): readonly ValueChange[] {
  const isOwn = kind === 'cause' || kind === 'both';
  if (!isOwn || left?.promptMessages === undefined || right?.promptMessages === undefined) return [];
  return diffValues(left.promptMessages, right.promptMessages, 'prompt');
}

function byNode(runs: readonly NodeRun[]): ReadonlyMap<string, NodeRun> {
  return new Map(runs.map((run) => [run.node, run]));
}

/** Whether other changes follow from it: not for what only handed on. */
function isOrigin({ attribution: { kind, paths } }: RowChange): boolean {
  return kind === 'unknown' ? paths.length === 0 : kind !== 'effect' && kind !== 'both';
}

function endOf(row: RowRun | undefined): string {
  if (row === undefined) return 'not ended';
  const { status, error } = row;
  return error === undefined ? status.toLowerCase() : `${status.toLowerCase()}: ${error.code}: ${error.message}`;
}

function outputsOf(row: RowRun | undefined): JsonValue {
  return row?.outputs ?? {};
}

function resultOf(run: NodeRun | undefined): NodeResult {
  if (run === undefined) return { value: null };
  const { status, output = null, error } = run;
  return { status, value: error === undefined ? output : { error: `${error.code}: ${error.message}` } };
}

/** Why a node differs, in a few words. */
export function whyText({ kind, parts, paths }: Attribution, language: 'en' | 'ja' = 'en'): string {
  const words = whyWords[language];
  const ways = paths.map(({ steps }) => steps.join(' → ')).join('; ');
  const [first] = parts;
  const own = first?.part === 'added' || first?.part === 'removed' ? words[first.part] : partsText(parts, language);
  if (kind === 'cause') return own;
  if (kind === 'both') return words.both(own, ways);
  if (kind === 'noise') return words.noise;
  if (kind === 'unknown') return ways === '' ? words.first : ways;
  return ways;
}

const whyWords = {
  en: {
    added: 'added',
    removed: 'removed',
    both: (own: string, ways: string) => `${own}, and inputs: ${ways}`,
    noise: 'same definition and inputs, other result',
    first: 'differs first here',
  },
  ja: {
    added: '追加',
    removed: '削除',
    both: (own: string, ways: string) => `${own}、入力の違い：${ways}`,
    noise: '定義も入力も同じで、結果だけが違います',
    first: '最初に違いが出たノードです',
  },
} as const;
