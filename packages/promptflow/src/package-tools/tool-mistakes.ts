import { type Diagnostic, didYouMean, isGiven, type NodeDefinition } from '@unroll/engine';
import { checkRoles, knownRendering, type OpenedTemplate, sourceMistake } from '@unroll/nodes/building-blocks';
import type { BuiltInTool } from './built-in-tool.ts';

/** What keeps a node of one of our package tools from being made ready, by what `preparePackageNode` refuses. */
export function toolMistakes(node: NodeDefinition, tool: BuiltInTool): readonly Diagnostic[] {
  if (tool.takesPrompt && node.type !== 'custom_llm') {
    const message = `tool "${tool.name}" fills a template, which node "${node.name}" does not give`;
    const help = 'write `type: custom_llm` and `source: {type: package_with_prompt, tool: …, path: …}`';
    return [sourceMistake(node, message, help, 'tool')];
  }
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
  return { ...mistake, span: node.locate(['inputs', 'connection']) ?? mistake.span };
}

/** What makes each row fail: an input that the tool cannot do without, or one that it refuses. */
export function inputMistakes(node: NodeDefinition, tool: BuiltInTool): readonly Diagnostic[] {
  const { required = [], choices = {}, refusesOthers, inputs } = tool;
  const missing = required.filter((name) => !isGiven(node.inputs[name]));
  const others =
    refusesOthers === true
      ? Object.keys(node.inputs).filter((name) => isGiven(node.inputs[name]) && !(name in inputs))
      : [];
  return [
    ...missing.map(
      (name): Diagnostic => ({
        severity: 'error',
        code: 'NODE_INPUT_MISSING',
        message: `node "${node.name}" does not give "${name}", which tool "${tool.name}" requires`,
        span: node.locate(['inputs', name]),
        help: `write it under \`inputs:\` as \`${name}\``,
        allowsRun: true,
      }),
    ),
    ...Object.entries(choices).flatMap(([name, known]) => wrongChoice(node, name, known)),
    ...others.map(
      (name): Diagnostic => ({
        severity: 'error',
        code: 'NODE_INPUT_UNKNOWN',
        message: `tool "${tool.name}" takes no input "${name}"`,
        span: node.locate(['inputs', name], 'key'),
        help:
          didYouMean(name, Object.keys(inputs)) ??
          `it takes ${Object.keys(inputs)
            .map((one) => `"${one}"`)
            .join(', ')}`,
        allowsRun: true,
      }),
    ),
  ];
}

function wrongChoice(node: NodeDefinition, name: string, known: readonly string[]): readonly Diagnostic[] {
  const input = node.inputs[name];
  if (input?.kind !== 'literal' || !isGiven(input) || known.includes(String(input.value))) return [];
  return [
    {
      severity: 'error',
      code: 'FLOW_WRONG_VALUE',
      message: `${name} "${String(input.value)}" is none of ${known.join(', ')}`,
      span: node.locate(['inputs', name]),
      help: didYouMean(String(input.value), known) ?? `write one of ${known.join(', ')}`,
      allowsRun: true,
    },
  ];
}

/** What of a custom_llm node's template does not go with its tool. */
export function promptMistakes(node: NodeDefinition, tool: BuiltInTool, opened: OpenedTemplate): readonly Diagnostic[] {
  if (!opened.ok) return [];
  const twice = opened.opened.template.variables.map(({ name }) => name).filter((name) => name in tool.inputs);
  if (twice.length > 0) {
    const message = `the template reads "${twice.join('", "')}", which tool "${tool.name}" takes itself`;
    return [sourceMistake(node, message, 'give the template another name for it', 'path')];
  }
  if (tool.takesPrompt) {
    const { text, diagnostics } = knownRendering(opened.opened, node);
    return diagnostics.length === 0 && readsRoles(node, tool) ? checkRoles(opened.opened, text) : diagnostics;
  }
  const message = `tool "${tool.name}" fills no template`;
  return [sourceMistake(node, message, 'write `type: python` and `source: {type: package, tool: …}`', 'tool')];
}

/** Whether the template is that of a chat, as the model tools read one. */
function readsRoles({ inputs }: NodeDefinition, { readsChat }: BuiltInTool): boolean {
  const api = inputs['api'];
  const isChat = api === undefined || (api.kind === 'literal' && api.value !== 'completion');
  return readsChat === true && isChat && !Object.hasOwn(inputs, 'prompt');
}
