import {
  isGiven,
  type JsonObject,
  type NodeDefinition,
  type PrepareContext,
  type PreparedNode,
  PrepareError,
} from '@unroll/engine';
import { openCodeHost, scriptReadsNow } from './code-host.ts';
import { codeParts } from './code-parts.ts';
import { nodePlace } from './code-place.ts';
import { parametersWithDefault } from './inspect-module.ts';
import { loadError } from './load-error.ts';
import { partsOnce } from './parts-once.ts';
import type { FunctionShape } from './thread-messages.ts';

/**
 * Loads a TypeScript or JavaScript node. Its function is called with its own copy of the inputs, so that nothing it
 * does to them shows in what was recorded.
 *
 * @param path absolute
 * @throws PrepareError when the file cannot be imported or no one function is the node
 */
export async function prepareModuleNode(
  definition: NodeDefinition,
  path: string,
  context: PrepareContext,
): Promise<PreparedNode> {
  const host = openCodeHost(nodePlace(path), context, { isAggregation: definition.aggregation });
  const loaded = await host.load();
  if (!loaded.ok) throw new PrepareError(loadError(loaded, path));
  return {
    parametersWithDefault: parametersWithDefault(loaded.text),
    literals: givenLiterals(definition),
    ...(takesLine(loaded) ? { rendered: (inputs, { line }) => ({ line, inputs }) } : {}),
    parts: () => partsOnce(context.flow, path, () => codeParts(path, context)),
    keepsTime: true,
    run: host.run,
    reads: host.reads,
    readsNow: scriptReadsNow(context),
  };
}

/** A function that may look at a second argument has what stands there among what it is given: the number of its row. */
function takesLine({ text, length }: FunctionShape): boolean {
  return length > 1 || /\barguments\b|\.\.\.|,\s*\w+\s*=/.test(text);
}

function givenLiterals(definition: NodeDefinition): JsonObject {
  return Object.fromEntries(
    Object.entries(definition.inputs).flatMap(([name, input]) =>
      input.kind === 'literal' && isGiven(input) ? [[name, input.value]] : [],
    ),
  );
}
