import {
  type Connection,
  type ConnectionDoubt,
  isMapping,
  type JsonObject,
  type JsonValue,
  type NodeDefinition,
  ownValue,
} from '@unroll/engine';
import { askedInVain } from '../ai-sdk/unsent-settings.ts';
import { converseInVain } from '../converse/unsent-settings.ts';
import { isProviderType } from '../extras/model-providers.ts';
import { llamaInVain } from '../llama/unsent-settings.ts';
import type { VainSetting, VainSettings } from '../openai/vain-settings.ts';

/** What a node writes for a model that its service never sends there; only what is written can be known. */
export function providerDoubts(
  { inputs }: NodeDefinition,
  connection: Connection,
  parameters: ReadonlySet<string>,
): readonly ConnectionDoubt[] {
  const written = Object.fromEntries(
    Object.entries(inputs).flatMap(([name, input]) =>
      input.kind === 'literal' && parameters.has(name) ? [[name, input.value] as const] : [],
    ),
  );
  return settingDoubts(written, connection);
}

/** The same of settings of Chat Completions, by their names, each at `inputs`. */
export function settingDoubts(
  written: JsonObject,
  { name: connection, type }: Pick<Connection, 'name' | 'type'>,
): readonly ConnectionDoubt[] {
  const inVain = isProviderType(type) ? askedInVain : inVainOf[type];
  if (inVain === undefined) return [];
  const { refused, unsent } = inVain(written);
  const doubt = ({ name, way }: VainSetting): ConnectionDoubt => ({
    message: `connection "${connection}" (${type}) has no place for ${name}`,
    help: way,
    path: ['inputs', name],
  });
  return [
    ...refused.map((one): ConnectionDoubt => ({ ...doubt(one), isCertain: true })),
    ...[...unsent, ...notTaken(type, written)].map(doubt),
  ];
}

const inVainOf: Readonly<Partial<Record<string, (request: JsonObject) => VainSettings>>> = {
  amazon_bedrock: converseInVain,
  llama_cpp: llamaInVain,
};

/** What a provider leaves out, as it warns when it is asked (`provider-contract.test.ts` asks it). */
const leftOut: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['seed', 'presence_penalty', 'frequency_penalty'],
  deepseek: ['top_k', 'seed', 'presence_penalty', 'frequency_penalty'],
  groq: ['top_k'],
  mistral: ['top_k'],
  ollama: ['presence_penalty', 'frequency_penalty'],
  xai: ['stop', 'presence_penalty', 'frequency_penalty'],
};

interface NotHonoured extends VainSetting {
  isMeant(value: JsonValue): boolean;
}

/** What it takes for some values only. */
const notHonoured: Readonly<Record<string, NotHonoured>> = {
  anthropic: {
    name: 'response_format',
    isMeant: (value) => formatOf(value) === 'json_object',
    way: 'write a JSON schema: {type: json_schema, json_schema: {…}}',
  },
  deepseek: {
    name: 'response_format',
    isMeant: (value) => formatOf(value) === 'json_schema',
    way: 'the schema is said to the model in the prompt and not enforced: look at the answer in the node behind it',
  },
  ollama: {
    name: 'tool_choice',
    isMeant: (value) => value !== 'auto',
    way: 'say in the prompt which tool to call; where none is to be called, offer none',
  },
};

function formatOf(value: JsonValue): JsonValue | undefined {
  return isMapping(value) ? value['type'] : undefined;
}

function notTaken(type: string, written: Readonly<Record<string, JsonValue>>): readonly VainSetting[] {
  const isWritten = (name: string): boolean => (written[name] ?? null) !== null;
  const left = (ownValue(leftOut, type) ?? [])
    .filter(isWritten)
    .map((name) => ({ name, way: 'leave it out: this provider does' }));
  const certain = ownValue(notHonoured, type);
  if (certain === undefined || !isWritten(certain.name)) return left;
  const { name, way, isMeant } = certain;
  return isMeant(written[name] ?? null) ? [...left, { name, way }] : left;
}
