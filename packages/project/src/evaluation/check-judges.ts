import { resolve } from 'node:path';
import {
  type Diagnostic,
  declaresNoOutputs,
  didYouMean,
  flowFilesOf,
  type JsonObject,
  locateFlow,
  mappingOf,
  nearestSpan,
  type Plan,
  readSourceFile,
} from '@unroll/engine';
import { type PartialEval, type PartialMetric, readOutputName } from '@unroll/evals';
import { compose } from '../connections/compose.ts';
import { nearestPath } from '../host/nearest-path.ts';
import type { System } from '../host/project-host.ts';
import { checkChoices } from './check-choices.ts';

/**
 * What of the flows that judge is not there: the flow, an input it is given or needs, the output that is the score, a node or
 * connection that is chosen for it.
 */
export function checkJudges(
  spec: PartialEval,
  folder: string,
  connectionsFile: string | undefined,
  system: System,
): readonly Diagnostic[] {
  return spec.metrics.flatMap((metric) => {
    const { evaluator, parameters } = metric;
    const flow = parameters?.['flow'];
    if (evaluator?.judgedBy === undefined || typeof flow !== 'string') return [];
    const path = resolve(folder, flow);
    const located = locateFlow(path);
    if (!located.ok) {
      const help = nearestPath(path, flow) ?? 'paths start at the folder of this file';
      return [wrong(spec, metric, 'EVAL_SUBJECT', located.message.replaceAll(path, flow), { key: ['flow'], help })];
    }
    const { files } = flowFilesOf(located, system.folder);
    const { plan, wrong: choices } = checkChoices(
      { connections: mappingOf(parameters?.['connections']), path: ['metrics', metric.place, 'connections'] },
      spec,
      readSourceFile(located.file, system.folder),
      { ...compose(system, located.folder, connectionsFile), files },
    );
    // One that is there and is wrong itself tells so when it is opened.
    const own = plan === undefined ? [] : [...checkInputs(spec, metric, plan), ...checkOutputs(spec, metric, plan)];
    return [...choices, ...own];
  });
}

function checkInputs(spec: PartialEval, metric: PartialMetric, plan: Plan): readonly Diagnostic[] {
  const given = givenInputs(metric);
  const known = plan.inputs.map(({ name }) => name);
  const unknown = given.filter(({ name }) => !known.includes(name));
  const needed = plan.inputs.filter((input) => (input.default ?? null) === null);
  const missing = needed.filter(({ name }) => !given.some((one) => one.name === name)).map(({ name }) => name);
  return [
    ...unknown.map(({ name, key, part }) => {
      const help = didYouMean(name, known) ?? `it has ${known.join(', ') || 'none'}`;
      return wrong(spec, metric, 'EVAL_PARAMETER', `the judge of metric "${metric.name}" has no input "${name}"`, {
        key,
        part,
        help,
      });
    }),
    ...(missing.length === 0 || unknown.length > 0 ? [] : [lacksInputs(spec, metric, missing)]),
  ];
}

function lacksInputs(spec: PartialEval, metric: PartialMetric, missing: readonly string[]): Diagnostic {
  const message = `the judge of metric "${metric.name}" needs ${missing.join(', ')}`;
  const help = `give it under inputs, for instance inputs: {${missing[0]}: \${outputs.answer}}`;
  return wrong(spec, metric, 'EVAL_PARAMETER', message, { key: ['flow'], help });
}

interface JudgeInput {
  readonly name: string;
  readonly key: readonly (string | number)[];
  readonly part: 'key' | 'value';
}

function givenInputs({ reads, parameters = {} }: PartialMetric): readonly JudgeInput[] {
  const { inputs } = reads;
  const members = inputs?.from === 'mapping' ? inputs.members : inputs?.from === 'literal' ? inputs.value : {};
  const named = Object.keys((members ?? {}) as JsonObject).map((name) => {
    return { name, key: ['inputs', name], part: 'key' } as const;
  });
  const { as, between = [] } = parameters as { readonly as?: string; readonly between?: readonly string[] };
  return [
    ...named,
    ...(as === undefined ? [] : [{ name: as, key: ['as'], part: 'value' } as const]),
    ...between.map((name, at) => ({ name, key: ['between', at], part: 'value' }) as const),
  ];
}

/** Of code and prompties that declare no outputs nothing is known of them. */
function checkOutputs(spec: PartialEval, metric: PartialMetric, plan: Plan): readonly Diagnostic[] {
  const { parameters = {}, evaluator } = metric;
  const key = evaluator?.judgedBy;
  const outputs = plan.outputs.map(({ name }) => name);
  if (
    key === undefined ||
    declaresNoOutputs(plan) ||
    (parameters[key] === undefined && parameters['metric'] !== undefined)
  ) {
    return [];
  }
  const written = parameters[key];
  const name = readOutputName(typeof written === 'string' ? written : `outputs.${key}`);
  if (name === undefined || outputs.includes(name)) return [];
  const isWritten = spec.locate(['metrics', metric.place, key]) !== undefined;
  const nearest = isWritten ? didYouMean(name, outputs) : undefined;
  const help = nearest ?? `say which is the ${key}: ${key}: \${outputs.${outputs[0]}}; it has ${outputs.join(', ')}`;
  const message = `the judge of metric "${metric.name}" has no output "${name}"`;
  return [wrong(spec, metric, 'EVAL_UNKNOWN_OUTPUT', message, { key: [isWritten ? key : 'flow'], help })];
}

function wrong(
  spec: PartialEval,
  { place }: PartialMetric,
  code: string,
  message: string,
  {
    key,
    part = 'value',
    help,
  }: { readonly key: readonly (string | number)[]; readonly part?: 'key' | 'value'; readonly help: string },
): Diagnostic {
  return { severity: 'error', code, message, span: nearestSpan(spec, ['metrics', place, ...key], part), help };
}
