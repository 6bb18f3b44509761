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

/** What a node is told beside its inputs. */
export function nodeCall(
  node: CompiledNode,
  place: RowPlace,
  { inputs: flowInputs, soFar: row }: CalledRow,
  options: PlanRunOptions,
  originals: Originals | undefined,
): NodeCall {
  const { runId, signal, finished, redactor, onEvent } = options;
  return {
    ...{ runId, ...place, node: node.name, signal, flowInputs, row },
    ...(node.sharesInputs ? { isShared: true } : {}),
    ...(redactor === undefined ? {} : { redactor }),
    ...(onEvent === undefined ? {} : { onCallFailed: callFailed(node, place, onEvent) }),
    ...(finished === undefined ? {} : { finished }),
    ...streamed(node, place, options),
    ...(originals === undefined ? {} : { originals }),
  };
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
