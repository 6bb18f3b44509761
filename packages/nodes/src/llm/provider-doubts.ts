import { type Connection, type ConnectionDoubt, isMapping, type JsonValue, type NodeDefinition } from '@unroll/engine';
import { askedInVain, type VainSetting } from '../ai-sdk/unsent-settings.ts';
import { isProviderType } from '../extras/model-providers.ts';

/** What a node writes for a model behind a provider of the AI SDK and the model never gets; only what is written can be known. */
export function providerDoubts(
  { inputs }: NodeDefinition,
  { name: connection, type }: Connection,
  parameters: ReadonlySet<string>,
): readonly ConnectionDoubt[] {
  if (!isProviderType(type)) return [];
  const written = Object.fromEntries(
    Object.entries(inputs).flatMap(([name, input]) =>
      input.kind === 'literal' && parameters.has(name) ? [[name, input.value] as const] : [],
    ),
  );
  const { refused, unsent } = askedInVain(written);
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

/** What a provider leaves out, as it warns when it is asked (`provider-doubts.test.ts` asks it). */
const leftOut: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['seed', 'presence_penalty', 'frequency_penalty'],
  mistral: ['top_k'],
};

function notTaken(type: string, written: Readonly<Record<string, JsonValue>>): readonly VainSetting[] {
  const left = (leftOut[type] ?? [])
    .filter((name) => (written[name] ?? null) !== null)
    .map((name) => ({ name, way: 'leave it out: this provider does' }));
  const format = written['response_format'] ?? null;
  const isObject = isMapping(format) && format['type'] === 'json_object';
  if (type !== 'anthropic' || !isObject) return left;
  return [...left, { name: 'response_format', way: 'write a JSON schema: {type: json_schema, json_schema: {…}}' }];
}
