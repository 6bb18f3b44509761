import type { Diagnostic, NodeDefinition } from '@unroll/engine';
import { type OpenedTemplate, sourceMistake } from '@unroll/nodes/building-blocks';
import type { BuiltInTool } from './built-in-tool.ts';

/** What keeps a node of one of our package tools from being made ready, by what `preparePackageNode` refuses. */
export function toolMistakes(node: NodeDefinition, tool: BuiltInTool): readonly Diagnostic[] {
  const given = node.inputs['connection'];
  if (tool.isMadeOfConnection !== true) return [];
  if (given !== undefined && given.kind !== 'literal') {
    const message = `tool "${tool.name}" takes the name of a connection, not a reference`;
    return [atConnection(node, sourceMistake(node, message, 'write the name under `inputs:` as `connection`'))];
  }
  if ((given?.value ?? '') !== '') return [];
  const message = `tool "${tool.name}" needs a connection`;
  return [atConnection(node, sourceMistake(node, message, 'write the name under `inputs:` as `connection`'))];
}

function atConnection(node: NodeDefinition, mistake: Diagnostic): Diagnostic {
  const span = node.locate(['inputs', 'connection']) ?? mistake.span;
  return span === undefined ? mistake : { ...mistake, span };
}

/** What of a custom_llm node's template does not go with its tool. */
export function promptMistakes(node: NodeDefinition, tool: BuiltInTool, opened: OpenedTemplate): readonly Diagnostic[] {
  if (!opened.ok) return [];
  const twice = opened.opened.template.variables.map(({ name }) => name).filter((name) => name in tool.inputs);
  if (twice.length > 0) {
    const message = `the template reads "${twice.join('", "')}", which tool "${tool.name}" takes itself`;
    return [sourceMistake(node, message, 'give the template another name for it', 'path')];
  }
  if (tool.takesPrompt) return [];
  const message = `tool "${tool.name}" fills no template`;
  return [sourceMistake(node, message, 'write `type: python` and `source: {type: package, tool: …}`', 'tool')];
}
