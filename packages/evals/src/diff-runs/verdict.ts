import { isProgram } from '../attribute-changes/program-change.ts';
import { partsText } from './parts-text.ts';
import type { NodeDiff, RunDiff } from './run-diff.ts';

export interface VerdictOptions {
  /** Names of the flow's outputs. */
  readonly outputs: readonly string[];
  /** Where a node is written, `flow.dag.yaml:23`; undefined where that is not known. */
  readonly placeOf?: (node: string) => string | undefined;
}

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
export function diffSentences(diff: RunDiff, options: VerdictOptions): readonly VerdictSentence[] {
  return [
    { rule: 'outcome', parts: [plain(outcome(diff, options))] },
    ...causes(diff, options),
    ...counted(diff),
    ...unknowns(diff),
    ...withoutEffect(diff),
    ...unpaired(diff),
  ];
}

function plain(text: string): VerdictPart {
  return { text };
}

function nodeName({ name }: NodeDiff): VerdictPart {
  return { text: name, isNode: true };
}

/** `a, b, c` of lists of parts. */
function listed(items: readonly (readonly VerdictPart[])[]): readonly VerdictPart[] {
  return items.flatMap((item, at) => (at === 0 ? item : [plain(', '), ...item]));
}

function outcome(diff: RunDiff, { outputs }: VerdictOptions): string {
  const { paired, outputsDiffer } = diff.rows;
  const rows = count(paired, 'row');
  if (paired === 0) return 'No row of one run is in the other.';
  if (isSame(diff)) return `The same in ${rows}: every node, every output.`;
  const [only = 'Outputs'] = outputs.length === 1 ? outputs : [];
  if (outputsDiffer > 0) return `${only} changed in ${outputsDiffer} of ${rows}.`;
  const isInside = diff.nodes.some(({ changed }) => changed > 0);
  return isInside ? `${only} the same in ${rows}, but not every node.` : `The same in ${rows}.`;
}

function causes({ nodes }: RunDiff, { placeOf }: VerdictOptions): readonly VerdictSentence[] {
  const causing = nodes.filter(isCause);
  const byReason = Map.groupBy(causing, (node) => {
    if (isOfProgram(node)) return causeText(node);
    const place = placeOf?.(node.instances[0] ?? node.name);
    return `${causeText(node)}${place === undefined ? '' : `, ${place}`}`;
  });
  const named = [...byReason].map(([reason, ofReason]) => {
    const names = listed(ofReason.map((node) => [nodeName(node)]));
    return ofReason.every(isOfProgram)
      ? [plain(`${reason}, which shows in `), ...names]
      : [...names, plain(` (${reason})`)];
  });
  const isOne = causing.length === 1 || (byReason.size === 1 && causing.every(isOfProgram));
  if (causing.length > 0) {
    return [{ rule: 'causes', parts: [plain(isOne ? 'Cause: ' : 'Causes: '), ...listed(named), plain('.')] }];
  }
  const isTold =
    nodes.some(({ changed }) => changed > 0) && nodes.every(({ changedParts }) => changedParts?.length === 0);
  return isTold ? [{ rule: 'causes', parts: [plain('No definition changed.')] }] : [];
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
export function causeText({ onlyIn, changedParts, causeParts }: NodeDiff): string {
  if (onlyIn !== undefined) return onlyIn === 'left' ? 'removed' : 'added';
  return partsText(causeParts.length > 0 ? causeParts : (changedParts ?? []));
}

function counted({ nodes }: RunDiff): readonly VerdictSentence[] {
  const sum = (numberOf: (node: NodeDiff) => number | undefined): number =>
    nodes.reduce((total, node) => total + (numberOf(node) ?? 0), 0);
  const of = nodes.filter(isCause).length === 1 ? 'of it' : 'of them';
  const told = [
    { number: sum(({ effectsOf }) => effectsOf.cause), one: `an effect ${of}`, many: `effects ${of}` },
    { number: sum(({ effectsOf, kinds }) => (effectsOf.input ?? 0) + (kinds.input ?? 0)), one: 'due to other inputs' },
    { number: sum(({ kinds }) => kinds.noise), one: 'noise' },
    { number: sum(({ effectsOf }) => effectsOf.noise), one: 'an effect of noise', many: 'effects of noise' },
  ].filter(({ number }) => number > 0);
  const parts = told.map(({ number, one, many = one }, index) => {
    return `${index === 0 ? count(number, 'change') : number} ${number === 1 ? `is ${one}` : `are ${many}`}`;
  });
  return parts.length === 0 ? [] : [{ rule: 'counts', parts: [plain(`${parts.join('; ')}.`)] }];
}

function unknowns({ nodes }: RunDiff): readonly VerdictSentence[] {
  const unknown = nodes.filter(({ kinds }) => (kinds.unknown ?? 0) > 0);
  const first = unknown.find(({ origins }) => origins.length === 0) ?? unknown[0];
  if (first === undefined) return [];
  const told = plain('Why is not known: a run tells no definitions. The first node that differs is ');
  return [
    { rule: 'unknown', parts: [told, nodeName(first), plain(`, in ${count(first.kinds.unknown ?? 0, 'row')}.`)] },
  ];
}

function withoutEffect({ nodes }: RunDiff): readonly VerdictSentence[] {
  const idle = nodes.filter(
    (node) => (node.changedParts ?? []).length > 0 && !isCause(node) && node.onlyIn === undefined,
  );
  if (idle.length === 0) return [];
  const named = idle.map((node) => [nodeName(node), plain(` (${causeText(node)})`)]);
  return [{ rule: 'without-effect', parts: [plain('Without effect: '), ...listed(named), plain('.')] }];
}

function unpaired({ rows }: RunDiff): readonly VerdictSentence[] {
  const sides = [
    [rows.onlyLeft, 'A'],
    [rows.onlyRight, 'B'],
  ] as const;
  return sides.flatMap(([number, side]) => {
    if (number === 0) return [];
    return [
      { rule: 'only-in', parts: [plain(`${count(number, 'row')} ${number === 1 ? 'is' : 'are'} only in ${side}.`)] },
    ];
  });
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
