import type { NodeError } from '../node/node-error.ts';
import type { NodeCall, PreparedNode } from '../node/node-type.ts';
import type { RowScope } from '../node/row-scope.ts';
import { ScopeSlots } from '../node/scope-slots.ts';
import type { Binding, NodeBinding, Plan, PlanNode } from '../plan/plan.ts';
import type { NodeRun } from '../record/node-run.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { pythonEquals } from '../value/python-equality.ts';
import { coerceInputs } from './coerce-inputs.ts';
import { readProperty } from './read-property.ts';

/** What a node would do for a row, told without doing it. */
export interface NodeForecast {
  readonly node: string;
  /**
   * `taken`: its output stands in the earlier run; `computed`: it only computes, and was run to know; `may run`: something
   * that is not known yet decides.
   */
  readonly outcome: 'taken' | 'computed' | 'bypassed' | 'runs' | 'may run';
  /** What it would send where it asks a model, or its inputs; what is not known yet is an empty text. */
  readonly sends?: JsonValue;
  /** Why it would send nothing: what it sends cannot be made of these inputs. */
  readonly problem?: NodeError;
  /** Whether nothing of it was unknown. */
  readonly isKnown: boolean;
}

/** A node as a forecast sees it. */
export interface ForecastNode {
  readonly prepared: PreparedNode;
  /** Running it reads and changes nothing. */
  readonly isPure: boolean;
  /** The record of the earlier run that would stand in. */
  readonly find: (inputs: JsonObject, call: NodeCall) => Promise<NodeRun | undefined>;
}

/**
 * Goes through a row without running more than what only computes: what is known of it is followed as far as it leads, and
 * the rest is told as open. The first iteration of a loop is held to run. Nodes over all rows are left out.
 */
export async function forecastRow(
  plan: Plan,
  nodes: readonly ForecastNode[],
  given: JsonObject,
  place: RowPlace,
): Promise<readonly NodeForecast[]> {
  const coerced = coerceInputs(plan.inputs, given, place.line);
  if (!coerced.ok) return [];
  const row: ForecastRow = { plan, inputs: coerced.inputs, place, known: new Map() };
  const forecasts: NodeForecast[] = [];
  for (const node of plan.nodes) {
    const own = nodes[node.id];
    if (node.aggregation || own === undefined) continue;
    const { forecast, known } = await forecastNode(node, own, row);
    row.known.set(node.id, known);
    forecasts.push(forecast);
  }
  return forecasts;
}

/** Which row of the data, from 0, and which repetition of it. */
export interface RowPlace {
  readonly line: number;
  readonly repeat?: number;
}

interface ForecastRow {
  readonly plan: Plan;
  readonly inputs: JsonObject;
  readonly place: RowPlace;
  readonly known: Map<number, Known>;
}

/** What is known of a node that came before. */
type Known =
  | { readonly kind: 'value'; readonly value: JsonValue; readonly beside?: JsonObject | undefined }
  | { readonly kind: 'bypassed' }
  | { readonly kind: 'open'; readonly isSure: boolean };

interface Forecast {
  readonly forecast: NodeForecast;
  readonly known: Known;
}

async function forecastNode(node: PlanNode, own: ForecastNode, row: ForecastRow): Promise<Forecast> {
  const { name } = node;
  const activity = await activityOf(node, row);
  if (activity === 'bypassed') {
    return { forecast: { node: name, outcome: 'bypassed', isKnown: true }, known: { kind: 'bypassed' } };
  }
  const { inputs, isKnown } = await inputsOf(node, own.prepared, row);
  const signal = new AbortController().signal;
  const call: NodeCall = {
    runId: 'forecast',
    ...row.place,
    node: name,
    signal,
    flowInputs: row.inputs,
    row: soFar(row),
  };
  if (isKnown && activity === 'runs') {
    const answer = await answerOf(own, inputs, call);
    if (answer !== undefined) {
      const forecast = { node: name, outcome: answer.outcome, isKnown };
      return { forecast, known: { kind: 'value', value: answer.value, beside: answer.beside } };
    }
  }
  const sends = own.prepared.rendered === undefined ? inputs : own.prepared.rendered(inputs, call);
  const problem = sends === undefined ? own.prepared.renderProblem?.(inputs, call) : undefined;
  return {
    forecast: {
      node: name,
      outcome: activity,
      isKnown,
      ...(sends === undefined ? {} : { sends }),
      ...(problem === undefined ? {} : { problem }),
    },
    known: { kind: 'open', isSure: activity === 'runs' },
  };
}

function soFar({ plan, known }: ForecastRow): RowScope {
  return Object.assign(new ScopeSlots(), {
    handed(name: string) {
      const found = known.get(plan.nodes.find((node) => node.name === name)?.id ?? -1);
      if (found?.kind !== 'value') return undefined;
      const { value: output, beside } = found;
      return beside === undefined ? { output } : { output, beside };
    },
    workedSince: () => 0,
  });
}

async function answerOf(own: ForecastNode, inputs: JsonObject, call: NodeCall): Promise<Answer | undefined> {
  const record = await own.find(inputs, call);
  if (record !== undefined) return { outcome: 'taken', value: record.output ?? null, beside: record.beside };
  if (!own.isPure) return undefined;
  const outcome = await own.prepared.run(inputs, call);
  return outcome.ok ? { outcome: 'computed', value: outcome.output, beside: outcome.beside } : undefined;
}

interface Answer {
  readonly outcome: 'taken' | 'computed';
  readonly value: JsonValue;
  readonly beside: JsonObject | undefined;
}

type Activity = 'bypassed' | 'runs' | 'may run';

async function activityOf({ activate, inputs, instance }: PlanNode, row: ForecastRow): Promise<Activity> {
  if (activate === undefined) return activityByInputs(inputs, row);
  const { when, is } = activate;
  if (when.kind === 'node-output') {
    const before = row.known.get(when.node);
    if (before?.kind === 'bypassed') return 'bypassed';
    if (before?.kind === 'open') return isFirstState(instance, when, row) && before.isSure ? 'runs' : 'may run';
  }
  const value = await readBinding(when, row);
  if (value === undefined) return 'may run';
  return pythonEquals(value, is) ? 'runs' : 'bypassed';
}

/** Whether a condition looks at the state that a loop begins with: it comes from outside of the loop. */
function isFirstState(instance: PlanNode['instance'], { nodeName }: NodeBinding, { plan }: ForecastRow): boolean {
  if (instance?.iteration !== 1) return false;
  return plan.nodes.find(({ name }) => name === nodeName)?.instance?.loop !== instance.loop;
}

/** A node without a condition is bypassed where all that it reads is. */
function activityByInputs(inputs: PlanNode['inputs'], { known }: ForecastRow): Activity {
  const reads = inputs.flatMap(({ binding }) => (binding.kind === 'node-output' ? [known.get(binding.node)] : []));
  if (reads.length === 0) return 'runs';
  if (reads.every((one) => one?.kind === 'bypassed')) return 'bypassed';
  return reads.some((one) => one?.kind === 'value' || (one?.kind === 'open' && one.isSure)) ? 'runs' : 'may run';
}

async function inputsOf(
  { inputs }: PlanNode,
  prepared: PreparedNode,
  row: ForecastRow,
): Promise<{ readonly inputs: JsonObject; readonly isKnown: boolean }> {
  const bound: Record<string, JsonValue> = {};
  let isKnown = true;
  for (const { name, binding } of inputs) {
    if (isLeftOut(name, binding, prepared, row)) continue;
    const value = await boundValue(name, binding, prepared, row);
    isKnown &&= value !== undefined;
    bound[name] = value === undefined ? '' : value;
  }
  return { inputs: bound, isKnown };
}

/** Literals that the node drops, and what it has a default for where nothing gives it. */
function isLeftOut(name: string, binding: Binding, prepared: PreparedNode, { known }: ForecastRow): boolean {
  if (binding.kind === 'literal') return prepared.literals !== undefined && prepared.literals[name] === undefined;
  const isBypassed = binding.kind === 'node-output' && known.get(binding.node)?.kind === 'bypassed';
  return isBypassed && prepared.parametersWithDefault.has(name);
}

async function boundValue(
  name: string,
  binding: Binding,
  { literals }: PreparedNode,
  row: ForecastRow,
): Promise<JsonValue | undefined> {
  if (binding.kind === 'literal') return literals?.[name] ?? binding.value;
  if (binding.kind === 'node-output' && row.known.get(binding.node)?.kind === 'bypassed') return null;
  return await readBinding(binding, row);
}

/** undefined: not known, or not there. */
async function readBinding(binding: Binding, row: ForecastRow): Promise<JsonValue | undefined> {
  if (binding.kind === 'literal') return binding.value;
  if (binding.kind === 'flow-input') return row.inputs[binding.input];
  return await readOutput(binding, row);
}

async function readOutput(binding: NodeBinding, { known }: ForecastRow): Promise<JsonValue | undefined> {
  const before = known.get(binding.node);
  if (before?.kind !== 'value') return undefined;
  const read = await readProperty(binding.nodeName, before.value, binding.path, binding.pathText);
  return read.ok ? read.value : undefined;
}
