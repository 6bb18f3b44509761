import { isProgram } from '../attribute-changes/program-change.ts';
import { partsText } from './parts-text.ts';
import type { NodeDiff, RunDiff } from './run-diff.ts';
import { type DiffVerdictWords, diffVerdictWords } from './verdict-words.ts';

export interface VerdictOptions {
  /** Names of the flow's outputs. */
  readonly outputs: readonly string[];
  /** Where a node is written, `flow.dag.yaml:23`; undefined where that is not known. */
  readonly placeOf?: (node: string) => string | undefined;
}

/** In which sentences are told; names are those of the flow. */
export type Language = 'en' | 'ja';

/** Whether nothing at all differs: rows, nodes, outputs. */
export function isSame({ rows, nodes }: RunDiff): boolean {
  return (
    rows.same === rows.paired && rows.onlyLeft + rows.onlyRight === 0 && nodes.every(({ changed }) => changed === 0)
  );
}

/** A sentence in its parts, so that a page can make links of the nodes it names. */
export interface VerdictSentence {
  /** Name of the rule it comes from. */
  readonly rule: 'outcome' | 'causes' | 'counts' | 'unknown' | 'without-effect' | 'only-in';
  readonly parts: readonly VerdictPart[];
}

interface VerdictPart {
  readonly text: string;
  /** The text is the name of a `NodeDiff`. */
  readonly isNode?: true;
}

/** What a reader must know of two runs, A and B, in a few sentences: what changed, what caused it, what is effect and what noise. */
export function verdict(diff: RunDiff, options: VerdictOptions): string {
  return diffSentences(diff, options)
    .map(({ parts }) => parts.map(({ text }) => text).join(''))
    .join(' ');
}

/** The verdict, sentence by sentence. */
export function diffSentences(
  diff: RunDiff,
  options: VerdictOptions,
  language: Language = 'en',
): readonly VerdictSentence[] {
  const words = diffVerdictWords[language];
  return [
    { rule: 'outcome', parts: [plain(outcome(diff, options, words))] },
    ...causes(diff, options, language),
    ...counted(diff, words),
    ...unknowns(diff, words),
    ...withoutEffect(diff, language),
    ...unpaired(diff, words),
  ];
}

function plain(text: string): VerdictPart {
  return { text };
}

function nodeName({ name }: NodeDiff): VerdictPart {
  return { text: name, isNode: true };
}

/** `a, b, c` of lists of parts. */
function listed(
  items: readonly (readonly VerdictPart[])[],
  { and }: Pick<DiffVerdictWords, 'and'>,
): readonly VerdictPart[] {
  return items.flatMap((item, at) => (at === 0 ? item : [plain(and), ...item]));
}

function outcome(diff: RunDiff, { outputs }: VerdictOptions, words: DiffVerdictWords): string {
  const { paired, outputsDiffer } = diff.rows;
  if (paired === 0) return words.noRow;
  if (isSame(diff)) return words.sameEverywhere(paired);
  const [only] = outputs.length === 1 ? outputs : [];
  if (outputsDiffer > 0) return words.changed(only, outputsDiffer, paired);
  const isInside = diff.nodes.some(({ changed }) => changed > 0);
  return words.sameOutputs(only, paired, isInside);
}

function causes({ nodes }: RunDiff, { placeOf }: VerdictOptions, language: Language): readonly VerdictSentence[] {
  const words = diffVerdictWords[language];
  const causing = nodes.filter(isCause);
  const byReason = Map.groupBy(causing, (node) => {
    const what = causeText(node, language);
    return isOfProgram(node) ? what : words.reason(what, placeOf?.(node.instances[0] ?? node.name));
  });
  const named = [...byReason].map(([reason, ofReason]) => {
    const names = listed(
      ofReason.map((node) => [nodeName(node)]),
      words,
    );
    const [before, after] = words.shows(reason);
    return ofReason.every(isOfProgram)
      ? [plain(before), ...names, ...(after === '' ? [] : [plain(after)])]
      : [...names, plain(words.inBrackets(reason))];
  });
  const isOne = causing.length === 1 || (byReason.size === 1 && causing.every(isOfProgram));
  if (causing.length > 0) {
    return [{ rule: 'causes', parts: [plain(words.causes(isOne)), ...listed(named, words), plain(words.end)] }];
  }
  const isReported =
    nodes.some(({ changed }) => changed > 0) && nodes.every(({ changedParts }) => changedParts?.length === 0);
  return isReported ? [{ rule: 'causes', parts: [plain(words.noDefinition)] }] : [];
}

/** Whether its own definition is to blame in any row. */
export function isCause({ kinds }: NodeDiff): boolean {
  return (kinds.cause ?? 0) + (kinds.both ?? 0) > 0;
}

/** Whether nothing of it changed but the Unroll that ran it. */
function isOfProgram({ causeParts }: NodeDiff): boolean {
  return causeParts.length > 0 && causeParts.every(isProgram);
}

/** What of a node changed: `prompt and parameters changed`. */
export function causeText({ onlyIn, changedParts, causeParts }: NodeDiff, language: Language = 'en'): string {
  const { added, removed } = diffVerdictWords[language];
  if (onlyIn !== undefined) return onlyIn === 'left' ? removed : added;
  return partsText(causeParts.length > 0 ? causeParts : (changedParts ?? []), language);
}

function counted({ nodes }: RunDiff, words: DiffVerdictWords): readonly VerdictSentence[] {
  const sum = (numberOf: (node: NodeDiff) => number | undefined): number =>
    nodes.reduce((total, node) => total + (numberOf(node) ?? 0), 0);
  const counts = words.counts({
    effects: sum(({ effectsOf }) => effectsOf.cause),
    inputs: sum(({ effectsOf, kinds }) => (effectsOf.input ?? 0) + (kinds.input ?? 0)),
    noise: sum(({ kinds }) => kinds.noise),
    noiseEffects: sum(({ effectsOf }) => effectsOf.noise),
    causes: nodes.filter(isCause).length,
  });
  return counts === undefined ? [] : [{ rule: 'counts', parts: [plain(counts)] }];
}

function unknowns({ nodes }: RunDiff, words: DiffVerdictWords): readonly VerdictSentence[] {
  const unknown = nodes.filter(({ kinds }) => (kinds.unknown ?? 0) > 0);
  const first = unknown.find(({ origins }) => origins.length === 0) ?? unknown[0];
  if (first === undefined) return [];
  const rows = first.kinds.unknown ?? 0;
  return [{ rule: 'unknown', parts: [plain(words.unknown), nodeName(first), plain(words.unknownIn(rows))] }];
}

function withoutEffect({ nodes }: RunDiff, language: Language): readonly VerdictSentence[] {
  const words = diffVerdictWords[language];
  const idle = nodes.filter(
    (node) => (node.changedParts ?? []).length > 0 && !isCause(node) && node.onlyIn === undefined,
  );
  if (idle.length === 0) return [];
  const named = idle.map((node) => [nodeName(node), plain(words.inBrackets(causeText(node, language)))]);
  return [{ rule: 'without-effect', parts: [plain(words.withoutEffect), ...listed(named, words), plain(words.end)] }];
}

function unpaired({ rows }: RunDiff, words: DiffVerdictWords): readonly VerdictSentence[] {
  const sides = [
    [rows.onlyLeft, 'A'],
    [rows.onlyRight, 'B'],
  ] as const;
  return sides.flatMap(([number, side]) =>
    number === 0 ? [] : [{ rule: 'only-in', parts: [plain(words.onlyIn(number, side))] }],
  );
}
