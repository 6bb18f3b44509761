import {
  type Connection,
  type ConnectionDoubt,
  convertValue,
  type InputDefinition,
  type JsonObject,
  type JsonValue,
  type NodeDefinition,
  type NodeError,
  ownValue,
} from '@unroll/engine';
import { offeredFunctions } from './build-request.ts';
import { requestForm } from './request-form.ts';

/** Tools or functions of a node that are refused before a model is asked, where all that is offered is written in the flow. */
export function refusedOffers(
  { api, inputs }: NodeDefinition,
  connection: Connection,
  parameters: ReadonlySet<string>,
): readonly ConnectionDoubt[] {
  const names = Object.keys(types).filter((name) => parameters.has(name) && name in inputs);
  const given = names.map((name) => [name, sent(inputs[name], ownValue(types, name) ?? '')] as const);
  if (given.some(([, value]) => value === undefined)) return [];
  const checksTools = requestForm(connection) === 'azure' && api === 'chat';
  const offered = offeredFunctions(checksTools, Object.fromEntries(given) as JsonObject);
  if (!('error' in offered)) return [];
  const { name, ...words } = refusedOffer(offered.error);
  return [{ isCertain: true, allowsRun: true, ...words, path: ['inputs', name] }];
}

const types: Readonly<Record<string, string>> = {
  tools: 'list',
  tool_choice: 'object',
  functions: 'list',
  function_call: 'object',
};

/** undefined: nobody knows; null and empty texts are left out. */
function sent(input: InputDefinition | undefined, type: string): JsonValue | undefined {
  if (input?.kind !== 'literal') return undefined;
  if (input.value === null || input.value === '') return null;
  const converted = convertValue(input.value, type);
  return converted.ok ? converted.value : undefined;
}

/** What is refused, without the example that Prompt flow shows. */
export function refusedOffer({ code, message }: NodeError): { name: string; message: string; help: string } {
  const name = code === 'ChatAPIInvalidTools' ? 'tools' : 'functions';
  const help =
    name === 'tools'
      ? 'each is {type: function, function: {name: …, parameters: {type: object, properties: …}}}'
      : 'each is {name: …, parameters: {type: object, properties: …}}';
  return { name, message: `these ${name} are refused: ${message.replace(/\.? Here is a valid .*$/s, '')}`, help };
}
