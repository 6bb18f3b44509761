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

/** What a reader must know of two runs, A and B, in a few sentences: what changed, what caused it, what is effect and what noise. */
export function verdict(diff: RunDiff, options: VerdictOptions): string {
  return [
    outcome(diff, options),
    ...causes(diff, options),
    ...counted(diff),
    ...unknowns(diff),
    ...withoutEffect(diff),
    ...unpaired(diff),
  ].join(' ');
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

function causes({ nodes }: RunDiff, { placeOf }: VerdictOptions): readonly string[] {
  const causing = nodes.filter(isCause);
  const byReason = Map.groupBy(causing, (node) => {
    if (isOfProgram(node)) return causeText(node);
    const place = placeOf?.(node.instances[0] ?? node.name);
    return `${causeText(node)}${place === undefined ? '' : `, ${place}`}`;
  });
  const named = [...byReason].map(([reason, ofReason]) => {
    const names = ofReason.map(({ name }) => name).join(', ');
    return ofReason.every(isOfProgram) ? `${reason}, which shows in ${names}` : `${names} (${reason})`;
  });
  const isOne = causing.length === 1 || (byReason.size === 1 && causing.every(isOfProgram));
  if (causing.length > 0) return [`${isOne ? 'Cause' : 'Causes'}: ${named.join(', ')}.`];
  const isTold =
    nodes.some(({ changed }) => changed > 0) && nodes.every(({ changedParts }) => changedParts?.length === 0);
  return isTold ? ['No definition changed.'] : [];
}

function isCause({ kinds }: NodeDiff): boolean {
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

function counted({ nodes }: RunDiff): readonly string[] {
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
  return parts.length === 0 ? [] : [`${parts.join('; ')}.`];
}

function unknowns({ nodes }: RunDiff): readonly string[] {
  const unknown = nodes.filter(({ kinds }) => (kinds.unknown ?? 0) > 0);
  if (unknown.length === 0) return [];
  const first = unknown.find(({ origins }) => origins.length === 0) ?? unknown[0];
  const rows = count(first?.kinds.unknown ?? 0, 'row');
  return [`Why is not known: a run tells no definitions. The first node that differs is ${first?.name}, in ${rows}.`];
}

function withoutEffect({ nodes }: RunDiff): readonly string[] {
  const idle = nodes.filter(
    (node) => (node.changedParts ?? []).length > 0 && !isCause(node) && node.onlyIn === undefined,
  );
  if (idle.length === 0) return [];
  const named = idle.map((node) => `${node.name} (${causeText(node)})`);
  return [`Without effect: ${named.join(', ')}.`];
}

function unpaired({ rows }: RunDiff): readonly string[] {
  const sides = [
    [rows.onlyLeft, 'A'],
    [rows.onlyRight, 'B'],
  ] as const;
  return sides.flatMap(([number, side]) => {
    return number === 0 ? [] : [`${count(number, 'row')} ${number === 1 ? 'is' : 'are'} only in ${side}.`];
  });
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
