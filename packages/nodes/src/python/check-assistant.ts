import {
  type Diagnostic,
  type FlowFiles,
  isGiven,
  isMapping,
  type JsonValue,
  kindOf,
  type NodeDefinition,
  type Parameter,
  parseYaml,
  type Span,
} from '@unroll/engine';
import * as z from 'zod';
import { type Locate, missingFile, mistake, nearestPlace } from '../errors/mistake-in-file.ts';
import { shapeMistakes } from '../errors/shape-mistakes.ts';

/** Names of files that are read as the definition of an assistant where a literal names one. */
export const definitionEnding = /\.(?:ya?ml|json)$/;

type Files = Pick<FlowFiles, 'read' | 'resolve' | 'list'>;

interface CheckedAssistants {
  readonly diagnostics: readonly Diagnostic[];
  /** Files of the functions that the definitions offer. */
  readonly functions: readonly string[];
}

/** Inputs whose parameter is an assistant, as far as its type tells. */
export function assistantInputs(parameters: readonly Parameter[]): readonly string[] {
  return parameters.filter(({ type = '' }) => /^(?:\w+\.)*AssistantDefinition$/.test(type)).map(({ name }) => name);
}

/** What keeps a node from being made ready with the definitions of assistants that its inputs name. */
export function checkAssistants(node: NodeDefinition, inputs: readonly string[], files: Files): CheckedAssistants {
  const checked = inputs.flatMap((name) => {
    const input = node.inputs[name];
    return input?.kind === 'literal' && isGiven(input) ? [checkInput(node, name, input.value, files)] : [];
  });
  return {
    diagnostics: checked.flatMap(({ diagnostics }) => diagnostics).map((one) => ({ ...one, unreadyNode: node.name })),
    functions: checked.flatMap(({ functions }) => functions),
  };
}

function checkInput(node: NodeDefinition, input: string, path: JsonValue, files: Files): CheckedAssistants {
  const span = node.locate(['inputs', input]) ?? node.locate(['name']);
  if (typeof path !== 'string') {
    const message = `the input "${input}" of node "${node.name}" takes the path of a YAML file, not ${kindOf(path)}`;
    return refused([mistake('NODE_INPUT_TYPE', message, span)]);
  }
  const file = files.read(path);
  if (file === undefined) return refused([missingFile(path, span, files)]);
  if (!definitionEnding.test(path)) {
    const help = 'its name must end in .yaml, .yml or .json';
    return refused([mistake('NODE_INPUT_TYPE', `"${path}" is no YAML file`, span, help)]);
  }
  const { value, diagnostics, locate } = parseYaml(file);
  if (value === undefined) return refused(diagnostics);
  const found = checkDefinition(value, locate, files);
  return { ...found, diagnostics: [...diagnostics, ...found.diagnostics] };
}

/** An empty file defines an assistant without anything. */
function checkDefinition(value: JsonValue, locate: Locate, files: Files): CheckedAssistants {
  const checked = definitionSchema.safeParse(value ?? {});
  const shape = { name: 'the assistant', value, locate: near(locate), keysAt: () => [] };
  const wrong = shapeMistakes(checked.error?.issues ?? [], shape);
  const tools = isMapping(value) && Array.isArray(value['tools']) ? (value['tools'] as readonly JsonValue[]) : [];
  const ofTools = tools.map((tool, at) =>
    checkTool(tool, at, (path, part) => locate(['tools', at, ...path], part), files),
  );
  return {
    diagnostics: [...wrong, ...ofTools.flatMap(({ diagnostics }) => diagnostics)],
    functions: ofTools.flatMap(({ functions }) => functions),
  };
}

/** By what Prompt flow requires of a tool; one that it knows in itself may have any keys. */
function checkTool(tool: JsonValue, at: number, locate: Locate, files: Files): CheckedAssistants {
  const schema = isMapping(tool) && tool['type'] === 'function' ? functionSchema(tool['source'] ?? null) : toolSchema;
  const checked = schema.safeParse(tool);
  const shape = { name: `tool ${at + 1} of the assistant`, value: tool, locate: near(locate), keysAt: () => [] };
  if (!checked.success) return refused(shapeMistakes(checked.error.issues, shape));
  const path = sourcePath(checked.data['source']);
  // What lies outside the folder is loaded all the same.
  if (path === undefined || files.resolve(path) === undefined) return refused([]);
  if (files.read(path) !== undefined) return { diagnostics: [], functions: [path] };
  return refused([missingFile(path, shape.locate(['source', 'path']), files)]);
}

function sourcePath(source: unknown): string | undefined {
  const { type = 'code', path } = (source ?? {}) as { readonly type?: string; readonly path?: string };
  return type === 'code' ? path : undefined;
}

function near(locate: Locate): (path: readonly (string | number)[]) => Span | undefined {
  return (path) => nearestPlace(locate, path) ?? locate([]);
}

function isNothing(tools: unknown): boolean {
  return ['""', '{}'].includes(JSON.stringify(tools));
}

function refused(diagnostics: readonly Diagnostic[]): CheckedAssistants {
  return { diagnostics, functions: [] };
}

/** Prompt flow goes through what is written, and finds no tools in an empty mapping and an empty text. */
const toolsSchema = z.preprocess((tools) => (isNothing(tools) ? [] : tools), z.array(z.unknown())).optional();
const definitionSchema = z.looseObject({ tools: toolsSchema });
const toolSchema = z.looseObject({ type: z.enum(['code_interpreter', 'function', 'retrieval']) });

/** @param source as it is written */
function functionSchema(source: JsonValue) {
  const { type = 'code' } = isMapping(source) ? source : {};
  const name = z.string().min(1);
  return z.looseObject({
    tool_type: z.literal('python'),
    source: z.looseObject({
      type: z.enum(['code', 'package']).optional(),
      ...(type === 'code' && { path: name }),
      ...(type === 'package' && { tool: name }),
    }),
  });
}
