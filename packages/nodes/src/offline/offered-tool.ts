import { type JsonObject, type JsonValue, listOf, mappingOf } from '@unroll/engine';

/** A tool as a request describes it. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/** A parameter of a tool, as far as the stand-in reads it. */
export interface Property {
  readonly name: string;
  readonly type: string;
  readonly description?: string;
  readonly pattern?: string;
  readonly members?: readonly string[];
}

/** A schema that is none, as a key with nothing behind it, says nothing of its parameter. */
export function propertiesOf({ parameters }: OfferedTool): readonly Property[] {
  return Object.entries(mappingOf(parameters['properties'])).map(([name, one]) => {
    const { type, description, pattern, enum: members } = mappingOf(one);
    return {
      name,
      type: typeof type === 'string' ? type : 'string',
      ...(typeof description === 'string' ? { description } : {}),
      ...(typeof pattern === 'string' ? { pattern } : {}),
      ...(Array.isArray(members) ? { members: (members as readonly JsonValue[]).map(String) } : {}),
    };
  });
}

export function required(tool: OfferedTool): readonly Property[] {
  const names = listOf(tool.parameters['required']);
  return propertiesOf(tool).filter(({ name }) => names.includes(name));
}

export const isNumber = ({ type }: Property): boolean => type === 'number' || type === 'integer';

const isText = ({ type, pattern, members }: Property): boolean =>
  type === 'string' && pattern === undefined && members === undefined;

export function isSearch(tool: OfferedTool): boolean {
  const properties = propertiesOf(tool);
  return properties.every((one) => one.name === 'query' && isText(one));
}

export function asksUser(tool: OfferedTool): boolean {
  return propertiesOf(tool).some(({ name }) => name === 'question');
}
