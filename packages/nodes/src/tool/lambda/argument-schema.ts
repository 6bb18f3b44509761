import { Float, type JsonObject, type JsonValue } from '@unroll/engine';
import type { ArgumentDefinition, ArgumentType } from './argument-definition.ts';

type ArgumentProblemCode =
  | 'UNKNOWN_TYPE'
  | 'ENUM_NOT_ALLOWED'
  | 'EMPTY_ENUM'
  | 'ENUM_VALUE_TYPE'
  | 'ARRAY_ITEM_TYPE'
  | 'ARRAY_WITHOUT_ITEMS'
  | 'NESTED_OBJECT'
  | 'OBJECT_WITHOUT_MEMBERS'
  | 'MEMBERS_NOT_ALLOWED'
  | 'DUPLICATE_FIELD';

export interface ArgumentProblem {
  readonly code: ArgumentProblemCode;
  /** `address.items.zip`. */
  readonly path: string;
  /** The argument among those that are written: `[1, 'nest', 0]`. */
  readonly written: readonly (string | number)[];
  readonly message: string;
}

export type ArgumentSchema =
  | { readonly ok: true; readonly schema: JsonObject }
  | { readonly ok: false; readonly problems: readonly ArgumentProblem[] };

const types = ['object', 'array', 'number', 'integer', 'string', 'boolean', 'null'];
const enumTypes = ['number', 'integer', 'string'];
const elementTypes = ['object', 'number', 'integer', 'string'];

/**
 * The JSON Schema of a user program's arguments, or all that is wrong with them. Rules of the manual: an enumeration
 * only of numbers and strings; the elements of an array are objects, numbers or strings; no object below an object,
 * not through an array either. `integer` is a number without a fraction.
 */
export function argumentSchema(args: readonly ArgumentDefinition[]): ArgumentSchema {
  const problems: ArgumentProblem[] = [];
  const schema = objectSchema(args, { path: '', written: [], insideObject: false, problems });
  return problems.length === 0 ? { ok: true, schema } : { ok: false, problems };
}

interface Place {
  readonly path: string;
  readonly written: readonly (string | number)[];
  readonly insideObject: boolean;
  readonly problems: ArgumentProblem[];
}

function objectSchema(args: readonly ArgumentDefinition[], place: Place): JsonObject {
  const members = new Map<string, JsonValue>();
  for (const [index, { field_name: name, schema, nest, enum: allowed }] of args.entries()) {
    const path = place.path === '' ? name : `${place.path}.${name}`;
    const at = { ...place, path, written: [...place.written, index] };
    if (members.has(name)) report(at, 'DUPLICATE_FIELD', `the argument "${name}" is defined twice`);
    members.set(name, typeSchema(allowed === undefined ? schema : { enum: allowed, ...schema }, nest, at));
  }
  return { type: 'object', properties: Object.fromEntries(members), required: [...members.keys()] };
}

function typeSchema(type: ArgumentType, nest: readonly ArgumentDefinition[] | undefined, place: Place): JsonObject {
  const { annotation, title, description } = type;
  if (!types.includes(annotation)) {
    report(place, 'UNKNOWN_TYPE', `"${annotation}" is no type; the types are ${types.join(', ')}`);
  }
  if (nest !== undefined && nest.length > 0 && annotation !== 'object' && annotation !== 'array') {
    report(place, 'MEMBERS_NOT_ALLOWED', `only an object has members below "nest", not ${annotation}`);
  }
  return {
    ...(annotation === 'object' ? memberSchema(nest, place) : { type: annotation }),
    ...(annotation === 'array' ? { items: elementSchema(type, place) } : {}),
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...enumSchema(type, place),
  };
}

function memberSchema(nest: readonly ArgumentDefinition[] | undefined, place: Place): JsonObject {
  if (place.insideObject) report(place, 'NESTED_OBJECT', 'an object cannot stand below another object');
  if (nest === undefined || nest.length === 0) {
    report(place, 'OBJECT_WITHOUT_MEMBERS', 'an object needs its members below "nest"');
  }
  return objectSchema(nest ?? [], { ...place, written: [...place.written, 'nest'], insideObject: true });
}

function elementSchema({ items }: ArgumentType, place: Place): JsonObject {
  const at = { ...place, path: `${place.path}.items`, written: [...place.written, 'schema', 'items'] };
  if (items === undefined) {
    report(place, 'ARRAY_WITHOUT_ITEMS', 'an array needs the type of its elements below "items"');
    return {};
  }
  if (types.includes(items.annotation) && !elementTypes.includes(items.annotation)) {
    report(at, 'ARRAY_ITEM_TYPE', `elements of an array are ${elementTypes.join(', ')}, not ${items.annotation}`);
  }
  return typeSchema(items, items.nest, at);
}

function enumSchema({ annotation, enum: allowed }: ArgumentType, place: Place): JsonObject {
  if (allowed === undefined) return {};
  if (!enumTypes.includes(annotation)) {
    report(place, 'ENUM_NOT_ALLOWED', `an enumeration is for ${enumTypes.join(' and ')}, not for ${annotation}`);
  } else if (allowed.length === 0) {
    report(place, 'EMPTY_ENUM', 'an enumeration needs at least one value');
  } else if (!allowed.every((value) => hasType(value, annotation))) {
    const article = annotation === 'integer' ? 'an' : 'a';
    report(place, 'ENUM_VALUE_TYPE', `every value of the enumeration must be ${article} ${annotation}`);
  }
  return { enum: allowed };
}

function hasType(value: JsonValue, annotation: string): boolean {
  if (annotation === 'string') return typeof value === 'string';
  if (annotation === 'integer') return typeof value === 'bigint' || Number.isInteger(value);
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof Float;
}

function report({ path, written, problems }: Place, code: ArgumentProblemCode, message: string): void {
  problems.push({ code, path, written, message });
}
