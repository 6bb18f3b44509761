import type { FlowFiles, NodeDefinition, NodeInspection, Parameter } from '@unroll/engine';
import {
  acceptedConnections,
  offeredFunctions,
  openTemplate,
  templateDiagnostics,
  templateParameters,
} from '@unroll/nodes/building-blocks';
import type { BuiltInTool } from './built-in-tool.ts';
import { findBuiltInTool } from './find-tool.ts';

/** What can be seen of a node of a package tool: the inputs of its definition where it is ours, and its template. */
export function inspectPackageNode(node: NodeDefinition, files: FlowFiles): NodeInspection {
  const { path, tool: id = '' } = node.source ?? {};
  const tool = findBuiltInTool(id);
  const own = Object.entries(tool?.inputs ?? {})
    .filter(([name]) => name in node.inputs)
    .map(([name, [type]]): Parameter => ({ name, required: false, ...(type === undefined ? {} : { type }) }));
  const shared = {
    takesAnyInput: true,
    files: path === undefined ? [] : [path],
    ...neededModule(node),
    ...accepted(tool),
  };
  if (node.type !== 'custom_llm' || path === undefined) return { ...shared, diagnostics: [], parameters: own };
  const opened = openTemplate(node, files);
  const prompt = { ...shared, fillsTemplate: true, offeredFunctions: offeredFunctions(node) };
  if (!opened.ok) return { ...prompt, diagnostics: templateDiagnostics(opened, node.name) };
  if (tool === undefined) return { ...prompt, diagnostics: [] };
  return { ...prompt, diagnostics: [], parameters: [...templateParameters(opened.opened), ...own] };
}

/** A tool that is none of ours is looked for in the module its name begins with. */
function neededModule(node: NodeDefinition): Pick<NodeInspection, 'neededModule'> {
  const { tool: id = '' } = node.source ?? {};
  const [name = ''] = id.split('.');
  if (name === '' || findBuiltInTool(id) !== undefined) return {};
  const span = node.locate(['source', 'tool']);
  return { neededModule: { name, ...(span === undefined ? {} : { span }) } };
}

/** Connections that answer without a service stand for any. */
function accepted(tool: BuiltInTool | undefined): Pick<NodeInspection, 'acceptedConnections'> {
  const given = Object.entries(tool?.inputs ?? {}).map(([name, types]) => ({ name, type: types.join(' | ') }));
  const types = Object.entries(acceptedConnections(given.map((one) => ({ ...one, required: false }))));
  return { acceptedConnections: Object.fromEntries(types.map(([name, some]) => [name, [...some, ...standIns]])) };
}

const standIns = ['offline', 'scripted'];
