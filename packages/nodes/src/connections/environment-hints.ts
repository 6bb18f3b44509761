import { nearestName } from '@unroll/engine';
import { modelProviders } from '../extras/model-providers.ts';

/** Types of connections of providers, each with the variable that holds its key. */
export const providerVariables: readonly (readonly [type: string, variable: string])[] = Object.entries(
  modelProviders,
).flatMap(([type, { keyVariable }]) => (keyVariable === undefined ? [] : [[type, keyVariable] as const]));

/** Connections that a variable alone makes, and which. */
const hints: ReadonlyMap<string, string> = new Map(
  [...providerVariables, ['open_ai', 'OPENAI_API_KEY'], ['azure_open_ai', 'AZURE_OPENAI_ENDPOINT']].map(
    ([type, variable]) => [
      `${type}_connection`,
      `it is there as soon as the environment variable ${variable} is set, or flow connection create keeps it`,
    ],
  ),
);

/** How a connection of this name, or of one that is nearer to it than those that are there, comes from the environment. */
export function environmentHint(name: string, there: readonly string[]): string | undefined {
  const own = hints.get(name);
  if (own !== undefined) return own;
  if (nearestName(name, there) !== undefined) return undefined;
  const provider = providerIn(name);
  const providers = [...hints.keys()].map(providerIn);
  const near = providers.includes(provider) ? provider : nearestName(provider, providers);
  if (near === undefined) return undefined;
  return `did you mean "${near}_connection"? ${hints.get(`${near}_connection`)}`;
}

/** What stands before `_connection`, by which alone two names differ: aoai-connection is not xai_connection. */
function providerIn(name: string): string {
  return name.replace(/[-_ ]?conn?ec\w*$/i, '');
}
