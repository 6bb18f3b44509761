import { type Diagnostic, didYouMean, nearestName } from '@unroll/engine';
import { isLoopResult } from '../targets/loop-nodes.ts';
import type { Step } from '../targets/target.ts';
import { problem } from './eval-problem.ts';
import type { PartialEval, PartialMetric, Source } from './eval-spec.ts';
import type { MissingColumn } from './find-columns.ts';
import { type FoundTarget, type Measurable, type NotFound, resolveTarget } from './resolve-target.ts';

/** What metrics name and flow and data do not have: nodes, outputs, columns. */
export function checkEval(
  spec: PartialEval,
  measurable: Measurable,
  missing: readonly MissingColumn[],
): readonly Diagnostic[] {
  const isUnknown = (place: number): boolean => {
    const on = spec.metrics.find((metric) => metric.place === place)?.on;
    return on !== undefined && 'unknown' in resolveTarget(on, measurable);
  };
  // What is expected of a node that is not there would be told twice.
  const columns = missing.filter(({ metric, isImplied }) => !isImplied || metric === undefined || !isUnknown(metric));
  return [
    ...spec.metrics.flatMap((metric) => checkMetric(spec, metric, measurable)),
    ...columns.map((column) => columnProblem(spec, column)),
  ];
}

function checkMetric(spec: PartialEval, metric: PartialMetric, measurable: Measurable): readonly Diagnostic[] {
  const { on, expected, reads, place, evaluator } = metric;
  const found = on === undefined ? undefined : resolveTarget(on, measurable);
  const onProblem = checkOn(spec, metric, found, measurable);
  const sources = [...(expected === undefined ? [] : [['expected', expected] as const]), ...Object.entries(reads)];
  const unread = (evaluator?.reads ?? []).filter(({ name, implied }) => implied !== undefined && !(name in reads));
  return [
    ...(onProblem === undefined ? [] : [onProblem]),
    ...sources.flatMap(([key, source]) => checkSource(spec, source, ['metrics', place, key], measurable)),
    ...unread.flatMap(({ name }) =>
      retrievedSource(measurable) === undefined ? [nothingRetrieved(spec, metric, name)] : [],
    ),
    ...parameterDoubts(spec, metric),
  ];
}

function parameterDoubts(spec: PartialEval, { evaluator, parameters, place }: PartialMetric): readonly Diagnostic[] {
  const doubts = parameters === undefined ? [] : (evaluator?.doubtsOf?.(parameters) ?? []);
  return doubts.map(({ message, help, path }) => {
    const shown = { path: ['metrics', place, ...path], part: 'key' as const, help };
    return { ...problem(spec, 'EVAL_PARAMETER', message, shown), severity: 'warning' };
  });
}

function checkOn(
  spec: PartialEval,
  metric: PartialMetric,
  found: FoundTarget | NotFound | undefined,
  measurable: Measurable,
): Diagnostic | undefined {
  const { on, evaluator, place } = metric;
  const path = ['metrics', place, 'on'] as const;
  if (found !== undefined && 'unknown' in found) return unknownName(spec, found, path);
  if (evaluator === undefined) return undefined;
  if (found === undefined) return isOnMissing(metric) ? lacksOn(spec, metric) : undefined;
  if (evaluator.isOfLoop === true && !isTurns(found, measurable)) return noTurns(spec, metric, measurable);
  if (evaluator.isOfCalls === true && isResult(found, measurable)) return noCalls(spec, metric, measurable);
  if (evaluator.measures !== 'cost' || found.kind === 'node' || found.kind === 'family') return undefined;
  const help = 'name a node or a family, or leave "on" out for the row as a whole';
  return problem(spec, 'EVAL_TARGET', `${evaluator.name} is no matter of "${on?.text}"`, { path, help });
}

function isTurns(found: FoundTarget, { nodes }: Measurable): boolean {
  if (found.kind === 'family') return found.turns.some(({ iteration }) => iteration > 0);
  return found.kind === 'node' && nodes.some((node) => node.name === found.node && isTurn(node));
}

/** The result of a loop is of iteration 0. */
function isTurn({ family, iteration }: Measurable['nodes'][number]): boolean {
  return family !== undefined && iteration !== 0;
}

function noTurns(spec: PartialEval, { on, evaluator, place }: PartialMetric, { nodes }: Measurable): Diagnostic {
  const families = new Set(nodes.filter(isTurn).map(({ family }) => `${family}[*]`));
  const help = families.size === 0 ? 'the flow has no loop' : `name its turns: ${[...families].join(', ')}`;
  const message = `${evaluator?.name} measures turns of a loop, and "${on?.text}" is none`;
  return problem(spec, 'EVAL_TARGET', message, { path: ['metrics', place, 'on'], help });
}

/** Of a loop, or of an agent, whole: no message of a model. */
function isResult(found: FoundTarget, { nodes }: Measurable): boolean {
  if (found.kind === 'node') return found.steps.length === 0 && isLoopResult(found.node, nodes);
  return (
    found.kind === 'family' && found.steps.length === 0 && found.turns.some(({ node }) => isLoopResult(node, nodes))
  );
}

function noCalls(spec: PartialEval, { on, evaluator, place }: PartialMetric, { nodes }: Measurable): Diagnostic {
  const asking = new Set(
    nodes.filter((node) => isTurn(node) && node.kind === 'llm').map(({ family }) => `${family}[*]`),
  );
  const message = `${evaluator?.name} counts the calls of a model, and "${on?.text}" is the result of a loop`;
  const help = asking.size === 0 ? undefined : `name the turns that ask a model: ${[...asking].join(', ')}`;
  return problem(spec, 'EVAL_TARGET', message, { path: ['metrics', place, 'on'], help });
}

function isOnMissing({ evaluator, isOnWrong = false }: PartialMetric): boolean {
  const isNeeded = evaluator !== undefined && !['cost', 'metric'].includes(evaluator.measures);
  return isNeeded && evaluator.isOfRow !== true && !isOnWrong;
}

function lacksOn(spec: PartialEval, { place, name }: PartialMetric): Diagnostic {
  const help = 'for instance outputs.answer; only latency, tokens and cost measure the row as a whole';
  return problem(spec, 'EVAL_MISSING_KEY', `metric "${name}" lacks the key "on"`, { path: ['metrics', place], help });
}

function checkSource(
  spec: PartialEval,
  source: Source,
  path: readonly (string | number)[],
  measurable: Measurable,
): readonly Diagnostic[] {
  if (source.from === 'list') return source.members.flatMap((member) => checkSource(spec, member, path, measurable));
  if (source.from === 'mapping') {
    return Object.entries(source.members).flatMap(([name, member]) =>
      checkSource(spec, member, [...path, name], measurable),
    );
  }
  if (source.from !== 'target') return [];
  const found = resolveTarget(source.target, measurable);
  return 'unknown' in found ? [unknownName(spec, found, path, ['row', 'outputs', 'inputs'])] : [];
}

function unknownName(
  spec: PartialEval,
  { unknown, kind, candidates }: NotFound,
  path: readonly (string | number)[],
  others: readonly string[] = [],
): Diagnostic {
  const isFamily = candidates.includes(`${unknown}[*]`);
  // A turn that is not there is nearer to another turn than to its family.
  const families = candidates.flatMap((name) => (name.endsWith('[*]') ? [name.slice(0, -3)] : []));
  const names = [...candidates.filter((name) => !name.endsWith('[*]')), ...families];
  const nearest = nearestName(unknown, [...others, ...names]);
  const meant = nearest !== undefined && candidates.includes(`${nearest}[*]`) ? `${nearest}[*]` : nearest;
  const known = candidates.length === 0 ? 'there are none' : `there are ${candidates.join(', ')}`;
  const help = isFamily
    ? `"${unknown}" is laid out by a loop: write ${unknown}[*], or one of its turns`
    : meant === undefined
      ? known
      : `did you mean "${meant}"?`;
  const [owner, code] =
    kind === 'node'
      ? ['the flow has no node', 'EVAL_UNKNOWN_NODE']
      : [`the flow has no ${kind}`, 'EVAL_UNKNOWN_OUTPUT'];
  return problem(spec, code, `${owner} "${unknown}"`, { path, help });
}

function columnProblem(
  spec: PartialEval,
  { metric, path, text, isImplied, unknown, known }: MissingColumn,
): Diagnostic {
  const there = known.length === 0 ? undefined : `there are ${known.join(', ')}`;
  const nearest = didYouMean(unknown, known);
  if (!isImplied) {
    return problem(spec, 'EVAL_UNKNOWN_COLUMN', `no row of the data has ${text}`, { path, help: nearest ?? there });
  }
  const name = spec.metrics.find(({ place }) => place === metric)?.name;
  const message = `metric "${name}" says nothing of what is expected, and no row of the data has ${text}`;
  return problem(spec, 'EVAL_UNKNOWN_COLUMN', message, { path, help: nearest ?? 'give it `expected`' });
}

function nothingRetrieved(spec: PartialEval, { name, place }: PartialMetric, parameter: string): Diagnostic {
  const message = `metric "${name}" must say its ${parameter}: the flow has no lookup node and no loop`;
  return problem(spec, 'EVAL_PARAMETER', message, {
    path: ['metrics', place, 'evaluator'],
    help: `for instance ${parameter}: \${retrieve}`,
  });
}

/** What lookups and the turns of loops found; undefined where a flow has neither. */
export function retrievedSource({ nodes }: Measurable): Source | undefined {
  const lookups = nodes.filter(({ kind }) => kind === 'lookup').map(({ name }) => nodeSource(name, []));
  const families = new Set(nodes.flatMap(({ family }) => family ?? []));
  const results = [...families].map((name) =>
    nodeSource(name, [{ kind: 'every' }, { kind: 'key', name: 'function_results' }]),
  );
  const members = [...lookups, ...results];
  return members.length === 0 ? undefined : { from: 'list', members };
}

function nodeSource(name: string, steps: readonly Step[]): Source {
  return { from: 'target', target: { text: name, of: 'node', name, steps } };
}
