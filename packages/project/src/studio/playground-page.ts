import { isMapping, type JsonObject, type JsonValue, type Plan, type PlanNode, stringifyJson } from '@unroll/engine';
import { hiddenOfRun } from '../bulk/run-as-data.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { isPlain } from '../playground/edit-parameter.ts';
import { editableText } from '../playground/editable-text.ts';
import { requireNode } from '../playground/edited-flow.ts';
import { promptPath, type ReadFlow, readFlow } from '../playground/read-flow.ts';
import type { TriedRun } from '../playground/tried-run.ts';
import type { Edits, PlaygroundPage } from '../studio-contract/contract.ts';
import type { HeldRun } from './held-run.ts';
import { readRow, titleOf } from './row-page.ts';
import { spokenOutputs } from './spoken-outputs.ts';

export interface PlaygroundAsked {
  readonly held: HeldRun;
  readonly run: TriedRun;
  readonly line: number;
  readonly node: string | undefined;
  /** Those of the run that was asked for, where it tried some itself. */
  readonly edits: Edits;
  readonly host: ProjectHost;
}

/** A node of a row with what can be edited of it. */
export async function playgroundPage({
  held,
  run,
  line,
  node: asked,
  edits,
  host,
}: PlaygroundAsked): Promise<PlaygroundPage> {
  const row = await readRow({ run: held, line, repeat: 0 });
  const flow = readFlow(run.found, run.settings, host);
  const nodes = (flow.plan?.nodes ?? []).filter(({ aggregation }) => !aggregation);
  const first = nodes.find((one) => promptPath(flow, one) !== undefined) ?? nodes[0];
  const node = requireNode(flow, asked ?? first?.name ?? '');
  const path = promptPath(flow, node);
  const prompt = path === undefined ? undefined : editableText(path, run.found, flow, host);
  const counts = await held.reader.rowCounts();
  return {
    ...{ run: run.id, line, node: node.name, edits },
    flow: flow.plan?.name ?? held.reader.info.flowName,
    title: titleOf(row),
    nodes: nodes.map((one) => ({
      ...{ name: one.name, kind: one.definition.type },
      canBeEdited: promptPath(flow, one) !== undefined || Object.values(one.definition.inputs).some(isEditable),
    })),
    ...(prompt === undefined
      ? {}
      : {
          prompt: {
            path: prompt.path,
            text: plainEnds(prompt.text),
            digest: prompt.digest,
            nodes: prompt.nodes,
            problem: prompt.problem,
          },
        }),
    variables: variablesOf(flow, node),
    parameters: parametersOf(node, host),
    inputs: inputsOf(held, flow.plan, row.inputs),
    recorded: spokenOutputs(row.outputs, flow.plan?.outputs.find(({ isChatOutput }) => isChatOutput)?.name),
    rows: counts.Completed + counts.Failed + counts.Canceled,
  };
}

/** What a page edits has one kind of line end. */
function plainEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function isEditable(input: PlanNode['definition']['inputs'][string]): boolean {
  return input.kind === 'literal' && isPlain(input.value);
}

function variablesOf({ inspections }: ReadFlow, { name, definition }: PlanNode): readonly string[] {
  const known = inspections.get(name)?.parameters?.map((one) => one.name) ?? [];
  const bound = Object.entries(definition.inputs).flatMap(([input, { kind }]) => (kind === 'literal' ? [] : [input]));
  return [...new Set([...bound, ...known.filter((one) => definition.inputs[one]?.kind !== 'literal')])];
}

function parametersOf({ definition: { inputs } }: PlanNode, { redactor }: ProjectHost): PlaygroundPage['parameters'] {
  return Object.entries(inputs).flatMap(([name, input]) => {
    if (input.kind !== 'literal') return [];
    const json = stringifyJson(input.value, 2);
    const redacted = redactor.text(json);
    if (redacted !== json) return [{ name, json: redacted, problem: 'a secret stands in it' }];
    return [
      isPlain(input.value) ? { name, json } : { name, json, problem: 'a list or a mapping: edit it in the file' },
    ];
  });
}

/** Secrets are in no record: what stands there in their place is not shown. */
function inputsOf({ reader }: HeldRun, plan: Plan | undefined, given: JsonObject): PlaygroundPage['inputs'] {
  const { names } = hiddenOfRun(reader.info);
  return (plan?.inputs ?? []).map(({ name, type, default: usual }) => {
    if (type === 'secret' || names.includes(name))
      return { name, json: '', problem: 'the record holds no value of it' };
    const value: JsonValue | undefined = given[name] ?? usual;
    return { name, json: value === undefined ? '' : stringifyJson(value, 2) };
  });
}

/** Whether there is a prompt to try something with. */
export function hasPrompt(run: TriedRun, host: ProjectHost): boolean {
  const flow = readFlow(run.found, run.settings, host);
  return (flow.plan?.nodes ?? []).some((node) => promptPath(flow, node) !== undefined);
}

/** What a run tried, as its record tells. */
export function recordedEdits(trial: JsonObject): Edits {
  const { files } = trial;
  if (files === undefined || !isMapping(files)) return {};
  const texts = Object.entries(files).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { files: Object.fromEntries(texts) };
}
