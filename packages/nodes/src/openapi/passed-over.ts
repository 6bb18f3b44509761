import { didYouMean, isMapping, type JsonObject, type JsonValue, listOf, mappingOf, nearestName } from '@unroll/engine';
import { resolved, stepsOf } from './inlined.ts';
import { keyPlaces } from './key-place.ts';
import { collectionFormatNames, styleNames } from './parameter-form.ts';
import { verbs } from './read-operations.ts';

type Path = readonly (string | number)[];

/** What stands in an OpenAPI document and is no word of OpenAPI, or names what is not there: it would be passed over. */
export interface PassedOver {
  /** Absent where it does not stand in one operation. */
  readonly operationId?: string;
  readonly path: Path;
  readonly part: 'key' | 'value';
  readonly message: string;
  readonly help: string | undefined;
}

const parameterPlaces = ['path', 'query', 'header', 'cookie', 'body', 'formData'];
const schemeTypes = ['apiKey', 'http', 'mutualTLS', 'oauth2', 'openIdConnect', 'basic'];
const pathKeys = ['$ref', 'summary', 'description', 'servers', 'parameters', ...verbs];
const operationKeys = [
  ...['tags', 'summary', 'description', 'externalDocs', 'operationId', 'parameters', 'requestBody', 'responses'],
  ...['callbacks', 'deprecated', 'security', 'servers', 'consumes', 'produces', 'schemes'],
];
const parameterKeys = [
  ...['name', 'in', 'description', 'required', 'deprecated', 'allowEmptyValue', 'style', 'explode', 'allowReserved'],
  ...['schema', 'example', 'examples', 'content', 'collectionFormat', 'type', 'format', 'items', 'default', 'enum'],
];

/** In the order of the document: its security, then its paths. */
export function passedOver(document: JsonObject): readonly PassedOver[] {
  const [schemesAt, schemes] = schemesOf(document);
  const inPaths = Object.entries(mappingOf(document['paths'])).flatMap(([name, item]) =>
    inPath(item, placeOf(item) ?? ['paths', name], document, schemes),
  );
  return [
    ...Object.entries(schemes).flatMap(([name, scheme]) =>
      inScheme(name, mappingOf(resolved(scheme, document)), [...schemesAt, name]),
    ),
    ...inSecurity(document['security'], ['security'], schemes),
    // A parameter that many operations refer to is told once.
    ...new Map(inPaths.map((one) => [JSON.stringify([one.path, one.message]), one])).values(),
  ];
}

function schemesOf(document: JsonObject): readonly [Path, JsonObject] {
  const { securitySchemes } = mappingOf(document['components']);
  return securitySchemes === undefined
    ? [['securityDefinitions'], mappingOf(document['securityDefinitions'])]
    : [['components', 'securitySchemes'], mappingOf(securitySchemes)];
}

function inPath(written: JsonValue, path: Path, document: JsonObject, schemes: JsonObject): readonly PassedOver[] {
  const item = mappingOf(resolved(written, document));
  const operations = Object.entries(item).flatMap(([verb, one]) => {
    const operation = resolved(one, document);
    if (!verbs.has(verb) || !isMapping(operation)) return [];
    const at = [...path, verb];
    const { operationId } = operation;
    const found = [
      ...misspeltKeys(operation, operationKeys, at),
      ...inParameters(operation['parameters'], [...at, 'parameters'], document),
      ...inSecurity(operation['security'], [...at, 'security'], schemes),
    ];
    return found.map((word) => (typeof operationId === 'string' ? { ...word, operationId } : word));
  });
  return [
    ...misspeltKeys(item, pathKeys, path),
    ...inParameters(item['parameters'], [...path, 'parameters'], document),
    ...operations,
  ];
}

function inParameters(written: JsonValue | undefined, path: Path, document: JsonObject): readonly PassedOver[] {
  return listOf(written).flatMap((one, at) => {
    const parameter = resolved(one, document);
    return isMapping(parameter) && parameter['$ref'] === undefined
      ? inParameter(parameter, placeOf(one) ?? [...path, at])
      : [];
  });
}

/** Of what a reference names, by the reference. */
function placeOf(written: JsonValue): Path | undefined {
  const { $ref } = mappingOf(written);
  const steps = typeof $ref === 'string' ? stepsOf($ref.slice(2)) : undefined;
  return steps?.map((step, at) => (steps[at - 1] === 'parameters' && /^\d+$/.test(step) ? Number(step) : step));
}

function inParameter(parameter: JsonObject, path: Path): readonly PassedOver[] {
  const { name, in: place, style, collectionFormat } = parameter;
  if (typeof name !== 'string' || name === '') {
    const message = 'a parameter of the OpenAPI document has no name: a model is told nothing of it';
    return [{ path, part: 'value', message, help: undefined }];
  }
  const lost = `the parameter "${name}" is in ${JSON.stringify(place ?? null)}, where OpenAPI has none: a model is told nothing of it`;
  return [
    ...misspeltKeys(parameter, parameterKeys, path),
    ...unknownWord(place ?? '', parameterPlaces, [...path, 'in'], lost),
    ...unknownWord(style, styleNames, [...path, 'style'], `OpenAPI has no style ${JSON.stringify(style)}`),
    ...unknownWord(
      collectionFormat,
      collectionFormatNames,
      [...path, 'collectionFormat'],
      `Swagger has no collectionFormat ${JSON.stringify(collectionFormat)}`,
    ),
  ];
}

function inScheme(name: string, { type, in: place, name: key }: JsonObject, path: Path): readonly PassedOver[] {
  const unknown = `the security scheme "${name}" is of no type of OpenAPI: a key would go into Authorization`;
  const strange = unknownWord(type ?? '', schemeTypes, [...path, 'type'], unknown);
  const isPlaced = type !== 'apiKey' || (keyPlaces.includes(String(place)) && typeof key === 'string' && key !== '');
  if (isPlaced) return strange;
  const message = `the security scheme "${name}" does not say where its key goes: it would go into Authorization`;
  return [{ path, part: 'key', message, help: 'write `in` (header, query or cookie) and `name`' }];
}

function inSecurity(written: JsonValue | undefined, path: Path, schemes: JsonObject): readonly PassedOver[] {
  return listOf(written).flatMap((way, at) =>
    Object.keys(mappingOf(way)).flatMap((name) => {
      const message = `there is no security scheme "${name}" in the OpenAPI document: a key would go into Authorization`;
      const found = unknownWord(name, Object.keys(schemes), [...path, at, name], message);
      return found.map((one) => ({ ...one, part: 'key' as const }));
    }),
  );
}

function unknownWord(
  written: JsonValue | undefined,
  known: readonly string[],
  path: Path,
  message: string,
): readonly PassedOver[] {
  if (written === undefined || known.includes(String(written))) return [];
  const help = didYouMean(String(written), known) ?? `there are ${known.join(', ') || 'none'}`;
  return [{ path, part: 'value', message, help }];
}

/** Keys that are nearly known ones; others (`parametersOfOurs`) are somebody's own, or of a later version of OpenAPI. */
function misspeltKeys(object: JsonObject, known: readonly string[], path: Path): readonly PassedOver[] {
  return Object.keys(object).flatMap((key) => {
    if (/^x-/i.test(key) || known.includes(key)) return [];
    const meant = nearestName(key, known);
    if (meant === undefined || Object.hasOwn(object, meant) || meant.length < 4) return [];
    if (key.startsWith(meant) && key.length > meant.length + 1) return [];
    const message = `"${key}" is no key of OpenAPI in this place: what stands there is passed over`;
    return [{ path: [...path, key], part: 'key', message, help: didYouMean(key, known) }];
  });
}
