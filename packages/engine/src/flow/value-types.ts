import { ownValue } from '../value/own-value.ts';
/** Types a flow's input or output may have. */
export const valueTypes = [
  'int',
  'double',
  'bool',
  'string',
  'secret',
  'prompt_template',
  'list',
  'object',
  'file_path',
  'image',
  'assistant_definition',
] as const;

/** What the names of JSON Schema and of Python stand for, as other tools and evaluators write them. */
const otherNames: Readonly<Record<string, string>> = {
  integer: 'int',
  boolean: 'bool',
  array: 'list',
  List: 'list',
  float: 'double',
  dict: 'object',
  Dict: 'object',
  str: 'string',
  // A number stays what it is, with a fraction or without.
  number: 'number',
};

/** Names of types beside those of flows that a prompty, or code that is a flow, may declare. */
export const otherTypeNames: readonly string[] = Object.keys(otherNames);

/** The type of a flow that is meant by a name which a prompty, or code that is a flow, declares. */
export function meantType(name: string): string {
  return ownValue(otherNames, name) ?? name;
}
