import { type JsonObject, listOf, mappingOf } from '@unroll/engine';
import { resolved } from './inlined.ts';

/** Where a service wants its key, by the security scheme `apiKey` of its document. */
export interface KeyPlace {
  readonly in: 'header' | 'query' | 'cookie';
  readonly name: string;
}

export const keyPlaces: readonly string[] = ['header', 'query', 'cookie'];

/**
 * The first of the ways in that an operation offers, of those that ask for one thing alone; undefined where that is no `apiKey`, as
 * for `http` and `oauth2`, whose key goes into `Authorization` (OpenAPI 3.1, "Security Requirement Object"; Swagger 2.0 likewise).
 */
export function keyPlaceOf(operation: JsonObject, document: JsonObject): KeyPlace | undefined {
  const schemes = mappingOf(mappingOf(document['components'])['securitySchemes'] ?? document['securityDefinitions']);
  const ways = listOf(operation['security'] ?? document['security']).map((way) => Object.keys(mappingOf(way)));
  const [name = ''] = ways.find((way) => way.length === 1) ?? [];
  if (!Object.hasOwn(schemes, name)) return undefined;
  const scheme = mappingOf(resolved(schemes[name] ?? {}, document));
  const { type, in: place, name: written } = scheme;
  if (type !== 'apiKey' || !keyPlaces.includes(String(place)) || typeof written !== 'string' || written === '')
    return undefined;
  return { in: place as KeyPlace['in'], name: written };
}
