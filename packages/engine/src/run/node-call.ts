import type { NodeCall, Originals } from '../node/node-type.ts';
import type { JsonObject } from '../value/json.ts';
import type { CompiledNode } from './compile-plan.ts';
import type { RowPlace } from './forecast-row.ts';
import type { PlanRunOptions } from './plan-run.ts';
import type { RowSoFar } from './row-so-far.ts';

interface CalledRow {
  readonly inputs: JsonObject;
  readonly soFar: RowSoFar;
}

/** What a node is told beside its inputs. The usual call is written out, as the usual record is. */
export function nodeCall(
  node: CompiledNode,
  place: RowPlace,
  row: CalledRow,
  options: PlanRunOptions,
  originals: Originals | undefined,
): NodeCall {
  const call = plainCall(node, place, row, options);
  return originals === undefined ? call : { ...call, originals };
}

function plainCall(
  node: CompiledNode,
  place: RowPlace,
  { inputs: flowInputs, soFar: row }: CalledRow,
  options: PlanRunOptions,
): NodeCall {
  const { runId, signal, finished, streaming, redactor, onEvent } = options;
  const isWhole = finished === undefined && streaming === undefined && redactor === undefined;
  if (isWhole && place.repeat === undefined && !node.sharesInputs) {
    const { line } = place;
    if (onEvent === undefined) return { runId, line, node: node.name, signal, flowInputs, row };
    const onCallFailed = callFailed(node, place, onEvent);
    return { runId, line, node: node.name, signal, flowInputs, row, onCallFailed };
  }
  const shared = {
    ...(node.sharesInputs ? { isShared: true as const } : {}),
    ...(redactor === undefined ? {} : { redactor }),
    ...(onEvent === undefined ? {} : { onCallFailed: callFailed(node, place, onEvent) }),
  };
  const call = { runId, ...place, node: node.name, signal, flowInputs, row, ...shared };
  return { ...call, ...(finished === undefined ? {} : { finished }), ...streamed(node, place, options) };
}

function callFailed(
  { name: node }: CompiledNode,
  place: RowPlace,
  onEvent: NonNullable<PlanRunOptions['onEvent']>,
): NonNullable<NodeCall['onCallFailed']> {
  return (error, waitMs) => onEvent({ type: 'call-failed', ...place, node, error, waitMs });
}

function streamed(
  node: CompiledNode,
  place: RowPlace,
  { onEvent, streaming }: PlanRunOptions,
): Pick<NodeCall, 'onText' | 'countsTokens'> {
  if (streaming === undefined || (streaming.nodes === 'answers' && !node.isAnswer)) return {};
  const onText = (text: string): void => onEvent?.({ type: 'text', ...place, node: node.name, text });
  return { onText, countsTokens: streaming.tokens };
}
