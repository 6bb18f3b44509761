import {
  type Diagnostic,
  type FlowFiles,
  isGiven,
  type NodeDefinition,
  type NodeInspection,
  type Parameter,
} from '@unroll/engine';
import {
  acceptedConnections,
  missingFor,
  missingSource,
  offeredFunctions,
  openTemplate,
  possibleVariables,
  sourceMistake,
  templateDiagnostics,
  templateParameters,
} from '@unroll/nodes/building-blocks';
import type { BuiltInTool } from './built-in-tool.ts';
import { findBuiltInTool } from './find-tool.ts';
import { workspaceDoubts } from './index-lookup-advice.ts';
import { inputMistakes, promptMistakes, toolMistakes } from './tool-mistakes.ts';

/** What can be seen of a node of a package tool: the inputs of its definition where it is ours, and its template. */
export function inspectPackageNode(node: NodeDefinition, files: FlowFiles): NodeInspection {
  const { path, tool: id = '' } = node.source ?? {};
  const mistakes = sourceMistakes(node);
  if (mistakes.length > 0)
    return { diagnostics: mistakes, takesAnyInput: true, files: path === undefined ? [] : [path] };
  const tool = findBuiltInTool(id);
  const own = Object.entries(tool?.inputs ?? {})
    .filter(([name]) => name in node.inputs)
    .map(([name, [type]]): Parameter => ({ name, required: false, ...(type === undefined ? {} : { type }) }));
  const shared = {
    takesAnyInput: true,
    files: path === undefined ? [] : [path],
    ...neededModule(node),
    ...accepted(tool),
    ...missingPackages(tool, node, files),
    ...connectionDoubts(tool, node),
  };
  const unfit =
    tool === undefined ? workspaceDoubts(node) : [...toolMistakes(node, tool), ...inputMistakes(node, tool)];
  if (node.type !== 'custom_llm') return { ...shared, diagnostics: unfit, parameters: own };
  const opened = openTemplate(node, files);
  const prompt = { ...shared, fillsTemplate: true, offeredFunctions: offeredFunctions(node) };
  if (!opened.ok) {
    const variables = possibleVariables(opened);
    const parameters = own.filter(({ name }) => !variables.has(name));
    const told = [...unfit, ...templateDiagnostics(opened, node)];
    return { ...prompt, diagnostics: told, parameters, hasUnreadTemplate: true };
  }
  if (tool === undefined) return { ...prompt, diagnostics: unfit };
  const diagnostics = [...unfit, ...promptMistakes(node, tool, opened)];
  return { ...prompt, diagnostics, parameters: [...templateParameters(opened.opened), ...own] };
}

function sourceMistakes(node: NodeDefinition): readonly Diagnostic[] {
  const { name, type, source } = node;
  if (source === undefined) return [missingSource(node)];
  if (type === 'custom_llm' && source.type !== 'package_with_prompt') {
    const message = `a custom_llm node cannot have a source of type "${source.type}"`;
    return [sourceMistake(node, message, 'write `type: package_with_prompt`, with a tool and a path', 'type')];
  }
  if ((source.tool ?? '') !== '') return [];
  const message = `the source of node "${name}" names no tool`;
  return [sourceMistake(node, message, 'for instance `tool: my_package.tools.answer`', 'tool')];
}

/** A tool that is none of ours is one that a package lists; without the module its name begins with there is no such package. */
function neededModule(node: NodeDefinition): Pick<NodeInspection, 'neededModule'> {
  const { tool: id = '' } = node.source ?? {};
  const [name = ''] = id.split('.');
  if (name === '' || findBuiltInTool(id) !== undefined) return {};
  const span = node.locate(['source', 'tool']);
  return { neededModule: { name, tool: id, ...(span === undefined ? {} : { span }) } };
}

/** Of a tool of ours: what the connections that the node names need. */
function missingPackages(
  tool: BuiltInTool | undefined,
  { inputs }: NodeDefinition,
  { folder }: FlowFiles,
): Pick<NodeInspection, 'missingPackages'> {
  const names = Object.keys(accepted(tool).acceptedConnections ?? {});
  return {
    missingPackages: (connections) =>
      names.flatMap((name) => {
        const given = inputs[name];
        const named = given?.kind === 'literal' && typeof given.value === 'string' ? given.value : undefined;
        return missingFor(named, connections, ['inputs', name], folder);
      }),
  };
}

function connectionDoubts(
  tool: BuiltInTool | undefined,
  { inputs }: NodeDefinition,
): Pick<NodeInspection, 'connectionDoubts'> {
  if (tool?.connectionMistake === undefined) return {};
  const literals = Object.entries(inputs).flatMap(([name, input]) =>
    input.kind === 'literal' && isGiven(input) ? [[name, input.value] as const] : [],
  );
  const given = new Set(Object.keys(inputs));
  return {
    connectionDoubts: (connections) => {
      const mistake = tool.connectionMistake?.(Object.fromEntries(literals), connections, given);
      if (mistake === undefined) return [];
      const { input, isDoubt, message, help } = mistake;
      const doubt = { message: message.replaceAll('\n', ' '), help, path: ['inputs', input] };
      return [isDoubt === true ? doubt : { ...doubt, isCertain: true, allowsRun: true }];
    },
  };
}

/** Connections that answer without a service stand for any. */
function accepted(tool: BuiltInTool | undefined): Pick<NodeInspection, 'acceptedConnections'> {
  const given = Object.entries(tool?.inputs ?? {}).map(([name, types]) => ({ name, type: types.join(' | ') }));
  const types = Object.entries(acceptedConnections(given.map((one) => ({ ...one, required: false }))));
  return { acceptedConnections: Object.fromEntries(types.map(([name, some]) => [name, [...some, ...standIns]])) };
}

const standIns = ['offline', 'scripted'];
