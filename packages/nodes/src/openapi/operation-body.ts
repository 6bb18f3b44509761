import { isMapping, type JsonObject, type JsonValue, listOf, mappingOf } from '@unroll/engine';
import type { WrittenArgument } from './operation-arguments.ts';
import { formOf } from './parameter-form.ts';
import { plainSchema } from './plain-schema.ts';

export interface OperationBody {
  /** Media type: JSON where the operation takes it, else a form, else the first it takes. */
  readonly type: string;
  /** The argument that is the whole body, where the body is no object or more than its members. */
  readonly whole?: string;
}

export interface ReadBody {
  readonly body?: OperationBody;
  readonly members: readonly WrittenArgument[];
}

const json = 'application/json';
const urlForm = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data';

/** Most wanted first. */
const readable = [
  /^application\/(?:[\w.+-]+\+)?json\b/,
  /^(?:\*|application)\/\*/,
  /^application\/x-www-form-urlencoded\b/,
  /^multipart\/form-data\b/,
];

/** @param consumed media types that Swagger 2.0 names for the operation */
export function bodyOf(written: JsonObject, parameters: readonly JsonObject[], consumed: readonly string[]): ReadBody {
  const fields = parameters.filter((parameter) => parameter['in'] === 'formData');
  if (fields.length > 0) return formOfFields(fields, consumed);
  const old = parameters.find((parameter) => parameter['in'] === 'body');
  const content = mappingOf(written['content']);
  const type = chosen(Object.keys(content));
  if (type === undefined && old === undefined) return { members: [] };
  const media = type ?? chosen(consumed) ?? json;
  const schema = plainSchema(mappingOf(type === undefined ? old?.['schema'] : mappingOf(content[type])['schema']));
  const isRequired = (type === undefined ? old : written)?.['required'] === true;
  return readBody(media.includes('*') ? json : media, schema, isRequired);
}

function chosen(types: readonly string[]): string | undefined {
  return readable.map((form) => types.find((one) => form.test(one))).find((one) => one !== undefined) ?? types[0];
}

function readBody(type: string, schema: JsonObject, isRequired: boolean): ReadBody {
  const hasMembers = readable.some((form) => form.test(type));
  const { properties } = schema;
  if (hasMembers && isMapping(properties) && !saysMore(schema))
    return { body: { type }, members: membersOf(properties, schema) };
  const shape = hasMembers ? schema : textIn(type, schema);
  return { body: { type, whole: 'body' }, members: [{ name: 'body', place: 'body', isRequired, schema: shape }] };
}

function membersOf(properties: JsonObject, schema: JsonObject): readonly WrittenArgument[] {
  const required = listOf(schema['required']);
  return Object.entries(properties).map(([name, member]) => {
    return { name, place: 'body' as const, isRequired: required.includes(name), schema: mappingOf(member) };
  });
}

/** What would be lost where members alone are arguments. */
function saysMore(schema: JsonObject): boolean {
  const parts = ['allOf', 'oneOf', 'anyOf', 'patternProperties', 'if'].some((key) => schema[key] !== undefined);
  const { additionalProperties: others } = schema;
  return parts || (isMapping(others) && Object.keys(others).length > 0);
}

/** XML and its like are no JSON: a model writes the text itself. */
function textIn(type: string, schema: JsonObject): JsonObject {
  if (schema['type'] === 'string') return schema;
  return { type: 'string', description: `the whole body, written as ${type}` };
}

/** Swagger 2.0 writes each field of a form as a parameter. */
function formOfFields(fields: readonly JsonObject[], consumed: readonly string[]): ReadBody {
  const isFile = fields.some(({ type }) => type === 'file');
  const type = isFile || (consumed.includes(multipart) && !consumed.includes(urlForm)) ? multipart : urlForm;
  const members = fields.flatMap((field): readonly WrittenArgument[] => {
    const { name, in: _place, required, collectionFormat: _format, ...own } = field;
    if (typeof name !== 'string' || name === '') return [];
    const schema: Readonly<Record<string, JsonValue>> = own['type'] === 'file' ? { ...own, type: 'string' } : own;
    const form = formOf(field, 'query');
    const argument = { name, place: 'body', isRequired: required === true, schema: plainSchema(schema) } as const;
    return [form === undefined ? argument : { ...argument, form }];
  });
  return { body: { type }, members };
}
