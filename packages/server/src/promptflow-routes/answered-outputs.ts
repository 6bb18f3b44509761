import type { JsonObject, JsonValue, NodeRun, Plan, RowResult } from '@unroll/engine';
import { declaresNoOutputs, isMapping, listOf, parseJson } from '@unroll/engine';
import { ProjectFailure } from '@unroll/project';
import { withImageBytes } from '../answers/image-bytes.ts';

const variable = 'PROMPTFLOW_RESPONSE_INCLUDED_FIELDS';

/** Which outputs are answered, by name. */
export interface AnsweredOutputs {
  has(name: string): boolean;
}

/**
 * Those that PROMPTFLOW_RESPONSE_INCLUDED_FIELDS lists, else all that are not for evaluation only. Of code and prompties that declare
 * none, all that they give.
 *
 * @throws ProjectFailure where the variable holds no JSON list
 */
export function answeredOutputs(
  plan: Plan,
  environment: Readonly<Record<string, string | undefined>>,
): AnsweredOutputs {
  const written = environment[variable] ?? '';
  const listed = written === '' ? undefined : listedNames(written);
  if (declaresNoOutputs(plan)) return { has: () => true };
  const names = plan.outputs.filter(({ name, evaluationOnly }) => listed?.includes(name) ?? !evaluationOnly);
  return new Set(names.map(({ name }) => name));
}

function listedNames(written: string): readonly JsonValue[] {
  try {
    const value = parseJson(written);
    if (Array.isArray(value)) return listOf(value);
  } catch {
    // Told below.
  }
  throw new ProjectFailure(`${variable} is no JSON list of names: ${written}`, {
    help: 'For instance: ["answer","context"]',
  });
}

/** Those of the outputs that are answered. */
function chosenOutputs(outputs: JsonObject, answered: AnsweredOutputs): JsonObject {
  return Object.fromEntries(Object.entries(outputs).filter(([name]) => answered.has(name)));
}

/** What is answered to a row: its outputs by name, or what code or a prompty gave where that is no mapping; pictures with their bytes. */
export function rowAnswer(
  { row, nodes }: RowResult,
  { answersBy, nodes: planned, messageFormat }: Plan,
  answered: AnsweredOutputs,
): JsonValue {
  const node = answersBy === undefined ? undefined : planned[answersBy]?.name;
  const answer: JsonValue =
    node !== undefined && !gaveMapping(nodes, node)
      ? (row.outputs['output'] ?? null)
      : chosenOutputs(row.outputs, answered);
  return withImageBytes(answer, messageFormat);
}

function gaveMapping(nodes: readonly NodeRun[], name: string): boolean {
  return isMapping(nodes.find(({ node }) => node === name)?.output);
}
