import type { Diagnostic, YamlDocument } from '@unroll/engine';
import type { PreparedEvaluator } from '../evaluators/evaluator.ts';
import type { Target } from '../targets/target.ts';
import { percentHelp, problem } from './eval-problem.ts';
import type { GateSpec, SliceGate } from './eval-spec.ts';

/** A gate as it is written, and where. */
export interface WrittenGate {
  readonly gate: Partial<GateSpec>;
  /** Of the metric. */
  readonly place: number;
  /** `metric "found"`. */
  readonly owner: string;
  /** What the metric measures. */
  readonly on: Target | undefined;
}

/** A gate that asks for nothing, that nothing can fail, or that nothing can meet. */
export function checkGate(
  document: Pick<YamlDocument, 'locate'>,
  { gate, place, owner, on }: WrittenGate,
  prepared: Pick<PreparedEvaluator, 'kind' | 'range'> | undefined,
): readonly Diagnostic[] {
  const { min, max, noWorseThan, margin, agreement, eachSlice } = gate;
  const mistake = mistakeAt(document, ['metrics', place, 'gate']);
  const asked = [min, max, noWorseThan, agreement, eachSlice].filter((one) => one !== undefined);
  if (asked.length === 0) {
    const help = 'give it min, max, no_worse_than: baseline, agreement or each_slice';
    return mistake(undefined, `the gate of ${owner} asks for nothing`, help);
  }
  if (agreement !== undefined && prepared !== undefined && !(prepared.kind === 'pass' && on?.of === 'outputs')) {
    const message = `${owner} has no agreement with labels: people say of outputs that they pass or fail`;
    return mistake('agreement', message, 'ask it of a metric of an output that passes or fails rows');
  }
  if (min !== undefined && max !== undefined && min > max) {
    return mistake('min', `the gate of ${owner} cannot be met: min ${min} is above max ${max}`);
  }
  if (margin !== undefined && noWorseThan === undefined) {
    const message = `the gate of ${owner} has a margin and nothing to be worse than`;
    return mistake('margin', message, 'add no_worse_than: baseline');
  }
  const range = prepared?.kind === 'pass' ? share : prepared?.range;
  return [
    ...(eachSlice === undefined ? [] : checkSliceGate(document, eachSlice, { place, owner, range })),
    ...beyondRange(gate, owner, range, mistake),
  ];
}

type Mistake = (key: string | undefined, message: string, help?: string) => readonly Diagnostic[];

function mistakeAt(document: Pick<YamlDocument, 'locate'>, path: readonly (string | number)[]): Mistake {
  return (key, message, help) => [
    problem(document, 'EVAL_GATE', message, { path: key === undefined ? path : [...path, key], help }),
  ];
}

function checkSliceGate(
  document: Pick<YamlDocument, 'locate'>,
  { min, max, noWorseThan, rows }: SliceGate,
  { place, owner, range }: { readonly place: number; readonly owner: string; readonly range: Range | undefined },
): readonly Diagnostic[] {
  const mistake = mistakeAt(document, ['metrics', place, 'gate', 'each_slice']);
  if (min === undefined && max === undefined && noWorseThan === undefined) {
    const key = rows === undefined ? undefined : 'rows';
    return mistake(key, `the gate of ${owner} asks nothing of a slice`, 'give it min, max or no_worse_than: baseline');
  }
  if (min !== undefined && max !== undefined && min > max) {
    return mistake('min', `the gate of ${owner} cannot be met: min ${min} is above max ${max}`);
  }
  return beyondRange({ min, max }, owner, range, mistake);
}

type Range = readonly [least: number, most: number];

/** A bound that no score comes to, or that every score keeps to. */
function beyondRange(
  bounds: { readonly min?: number | undefined; readonly max?: number | undefined; readonly margin?: number },
  owner: string,
  range: Range | undefined,
  mistake: Mistake,
): readonly Diagnostic[] {
  if (range === undefined) return [];
  return (['min', 'max', 'margin'] as const).flatMap((key) => {
    const wrong = outOfRange(key, bounds[key], range);
    if (wrong === undefined) return [];
    const scores = `the scores of ${owner} are ${range[0]} ${Number.isFinite(range[1]) ? `to ${range[1]}` : 'and more'}`;
    return mistake(key, `${key} ${bounds[key]} ${wrong}: ${scores}`, shareHelp(Number(bounds[key]), range));
  });
}

const share = [0, 1] as const;

function outOfRange(
  key: 'min' | 'max' | 'margin',
  value: number | undefined,
  [least, most]: Range,
): string | undefined {
  if (value === undefined) return undefined;
  if (key === 'margin') return value > most - least ? 'lets everything pass' : undefined;
  if (value >= least && value <= most) return undefined;
  return value > most === (key === 'min') ? 'cannot be met' : 'lets everything pass';
}

function shareHelp(value: number, [, most]: Range): string | undefined {
  return most === 1 && value > 1 && value <= 100 ? percentHelp(value) : undefined;
}
