import {
  type CheckFlowOptions,
  type ConnectionOverride,
  type ConnectionSource,
  checkFlow,
  type Diagnostic,
  didYouMean,
  type FlowCheck,
  type JsonObject,
  nearestSpan,
  type SourceFile,
  type SpecPath,
} from '@unroll/engine';
import type { PartialEval } from '@unroll/evals';
import { variantReference } from '../flows/flow-settings.ts';
import { overridesOf } from './eval-settings.ts';

/** Variant and connections that an evaluation, or a metric of it, chooses for a flow. */
interface Choices {
  readonly variant?: string | undefined;
  readonly connections?: JsonObject | undefined;
  /** Where they stand in the file. */
  readonly path: SpecPath;
}

/** What of these choices the flow does not have, at its place in the evaluation. */
export function checkChoices(
  { variant: written, connections, path: place }: Choices,
  spec: PartialEval,
  file: SourceFile,
  options: CheckFlowOptions,
): FlowCheck & { readonly wrong: readonly Diagnostic[] } {
  const overrides = overridesOf(connections);
  const asWritten = checkFlow(file, options);
  if (written === undefined && overrides.length === 0) return { ...asWritten, wrong: [] };
  const variant = written === undefined ? {} : { variant: variantReference(written) };
  const chosen = checkFlow(file, { ...options, ...variant, overrides });
  const known = new Set(asWritten.diagnostics.map(({ message }) => message));
  const wrong = chosen.diagnostics.flatMap((diagnostic) => {
    const path = known.has(diagnostic.message) ? undefined : placeOfChoice(diagnostic, overrides);
    return path === undefined
      ? []
      : [{ ...diagnostic, span: nearestSpan(spec, [...place, ...path], 'value') ?? diagnostic.span }];
  });
  return { ...(chosen.plan === undefined ? asWritten : chosen), wrong };
}

/** Where in the evaluation stands what a flow's diagnostic is about; undefined where it is about something else. */
function placeOfChoice(
  { code, details }: Diagnostic,
  overrides: readonly ConnectionOverride[],
): readonly string[] | undefined {
  if (code === 'FLOW_VARIANT') return ['variant'];
  const meant = overrides.find(({ node, key, value }) => {
    if (details?.kind === 'connection-missing') return details.writtenNode === node && details.connection === value;
    if (details?.kind === 'override-node') return details.node === node;
    return details?.kind === 'override-key' && details.node === node && details.key === key;
  });
  return meant === undefined ? undefined : ['connections', meant.node, meant.key];
}

/** Connections that evaluators ask, and nobody has defined. */
export function checkEvaluatorConnections(spec: PartialEval, connections: ConnectionSource): readonly Diagnostic[] {
  return spec.metrics.flatMap(({ evaluator, parameters, place, name }) => {
    if (evaluator?.connectionOf === undefined || parameters === undefined) return [];
    const connection = evaluator.connectionOf(parameters);
    if (connections.find(connection) !== undefined) return [];
    const known = connections.names();
    const message = `there is no connection "${connection}" for metric "${name}"`;
    const help = didYouMean(connection, known) ?? `known are ${known.join(', ')}; flow connection create makes one`;
    const span = nearestSpan(spec, ['metrics', place, 'connection'], 'value');
    return [{ severity: 'error', code: 'EVAL_PARAMETER', message, span, help }];
  });
}
