import type { FlowFiles, NodeDefinition, NodeInspection, Parameter } from '@unroll/engine';
import { offeredFunctions, openTemplate, templateDiagnostics, templateParameters } from '@unroll/nodes/building-blocks';
import { findBuiltInTool } from './find-tool.ts';

/** What can be seen of a node of a package tool: the inputs of its definition where it is ours, and its template. */
export function inspectPackageNode(node: NodeDefinition, files: FlowFiles): NodeInspection {
  const { path, tool: id = '' } = node.source ?? {};
  const tool = findBuiltInTool(id);
  const own = Object.entries(tool?.inputs ?? {})
    .filter(([name]) => name in node.inputs)
    .map(([name, [type]]): Parameter => ({ name, required: false, ...(type === undefined ? {} : { type }) }));
  const shared = { takesAnyInput: true, files: path === undefined ? [] : [path] };
  if (node.type !== 'custom_llm' || path === undefined) return { ...shared, diagnostics: [], parameters: own };
  const opened = openTemplate(node, files);
  const prompt = { ...shared, fillsTemplate: true, offeredFunctions: offeredFunctions(node) };
  if (!opened.ok) return { ...prompt, diagnostics: templateDiagnostics(opened, node.name) };
  if (tool === undefined) return { ...prompt, diagnostics: [] };
  return { ...prompt, diagnostics: [], parameters: [...templateParameters(opened.opened), ...own] };
}
