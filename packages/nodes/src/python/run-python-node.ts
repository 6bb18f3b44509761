import {
  imagesIn,
  type JsonObject,
  type JsonValue,
  type NodeCall,
  type NodeDefinition,
  type NodeOutcome,
  RemoteValue,
  stringifyJson,
  traceHeaders,
} from '@unroll/engine';
import { modelStream } from '../llm/model-streams.ts';
import { promptResult } from '../prompt/prompt-results.ts';
import { inSeveralPlaces, withHandleMarks } from '../python-objects/handle-marks.ts';
import { originalsRemembered } from '../python-objects/originals.ts';
import { type HandleOwner, PromptText, PythonHandle, TextPieces } from '../python-objects/python-handle.ts';
import { lostObjects } from './python-error.ts';
import { type LoadablePythonNode, outcomeOf } from './python-outcome.ts';
import { WorkerProcess } from './worker-process.ts';

/** Calls a node's function in a worker: that which holds the objects it is given, where it is given any. */
export function runPythonNode(
  loadable: LoadablePythonNode,
  inputs: JsonObject,
  call: NodeCall,
): Promise<NodeOutcome> | NodeOutcome {
  const { pool, load, definition } = loadable;
  const owners = new Set<HandleOwner>();
  const given = withWhatNodesGave(inputs, definition, call);
  const live = RemoteValue.anyMade || given !== inputs;
  if (live) withHandleMarks(given, '', owners);
  const [holder] = owners;
  if (owners.size > 1 || (holder instanceof WorkerProcess && holder.hasExited)) {
    return { ok: false, error: lostObjects(call.node) };
  }
  const several = inSeveralPlaces(given);
  const needsMarks = live || originalsRemembered() || several.size > 0 || imagesIn(inputs).length > 0;
  const text = (worker: WorkerProcess): string =>
    stringifyJson(needsMarks ? withHandleMarks(given, worker.mark, owners, worker, several) : given);
  const held = holder instanceof WorkerProcess ? holder : undefined;
  return pool
    .call(
      {
        row: call.row,
        node: definition.name,
        load,
        inputs: text,
        signal: call.signal,
        isShared: call.isShared === true,
        trace: traceHeaders(),
      },
      held,
    )
    .then((result) => outcomeOf(result, call.node, loadable));
}

/** Inputs with pieces in the place of texts that are the whole answer of a model in a stream, and with texts of prompts as such. */
function withWhatNodesGave(inputs: JsonObject, definition: NodeDefinition, { row, originals }: NodeCall): JsonObject {
  const streams = Object.entries(definition.inputs).flatMap(([name, input]) => {
    const original = originals?.[name];
    if (original instanceof PythonHandle && !isLost(original))
      return [[name, original as unknown as JsonValue] as const];
    if (input.kind !== 'node-output' || input.path !== '') return [];
    const pieces = modelStream(row, input.node, inputs[name]);
    if (pieces !== undefined) return [[name, new TextPieces(pieces) as unknown as JsonValue] as const];
    const prompt = promptResult(row, input.node, inputs[name], () => '');
    return prompt === undefined ? [] : [[name, new PromptText(prompt.text) as unknown as JsonValue] as const];
  });
  return streams.length === 0 ? inputs : { ...inputs, ...Object.fromEntries(streams) };
}

/** What goes with its worker goes on as its value. */
function isLost(scalar: PythonHandle): boolean {
  const owner = PythonHandle.ownerOf(scalar);
  return owner instanceof WorkerProcess && owner.hasExited;
}
