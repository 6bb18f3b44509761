import { type Diagnostic, didYouMean, isMapping, type JsonValue, mappingOf, misspeltKeywords } from '@unroll/engine';
import { compileJsonSchema } from '@unroll/engine/json-schema';
import { mistake, type Path } from '../../errors/mistake-in-file.ts';
import { isToolName } from '../lambda/index.ts';
import type { Locate } from './table-reading.ts';
import type { ToolDefinition, ToolExecutor } from './tool-definition.ts';
import { toolNamePattern } from './tool-schema.ts';

/** A program may have a longer name than models are told. */
export function nameMistakes(name: string, { kind }: ToolExecutor, locate: Locate): readonly Diagnostic[] {
  if (toolNamePattern.test(name) || (kind === 'lambda' && isToolName(name))) return [];
  const message = `"${name}" can be no name of a tool`;
  const rule =
    kind === 'lambda' ? '1 to 128 of a-z, 0-9 and _, not starting with _' : '1 to 64 letters, digits, _ and -';
  return [mistake('TOOL_NAME', message, locate(['name']), rule)];
}

/** What is wrong with the JSON Schema of a tool's arguments. */
export function schemaMistakes({ name, parameters }: ToolDefinition, locate: Locate): readonly Diagnostic[] {
  const span = locate(['parameters']) ?? locate(['name']);
  if (parameters['type'] !== 'object') {
    const message = `the parameters of tool "${name}" must be the JSON Schema of an object`;
    return [mistake('TOOL_PARAMETERS', message, span, 'write `type: object` and `properties`')];
  }
  const strange = strangeTypes(parameters, ['parameters']);
  if (strange.length > 0) {
    return strange.map(({ written, path }) => {
      const message = `"${written}" is no type of JSON Schema (the parameters of tool "${name}")`;
      const help = didYouMean(written, schemaTypes) ?? `there are ${schemaTypes.join(', ')}`;
      return mistake('TOOL_PARAMETERS', message, locate(path), help);
    });
  }
  try {
    compileJsonSchema(parameters);
    return [];
  } catch (error) {
    const message = `the parameters of tool "${name}" are no JSON Schema: ${(error as Error).message}`;
    return [mistake('TOOL_PARAMETERS', message, span)];
  }
}

/** Keywords of that schema that are nearly known ones: they ask nothing of the arguments. */
export function schemaDoubts({ name, parameters }: ToolDefinition, locate: Locate): readonly Diagnostic[] {
  return misspeltKeywords(parameters).map(({ written, meant, path }) => {
    const message = `the parameters of tool "${name}" have "${written}", which is no keyword of JSON Schema`;
    const span = locate(['parameters', ...path], 'key') ?? locate(['name']);
    return { ...mistake('TOOL_PARAMETERS', message, span, `did you mean "${meant}"?`), severity: 'warning' };
  });
}

const schemaTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];

/** Words after `type` that mean nothing, in properties and items at any depth. */
function strangeTypes(
  schema: JsonValue | undefined,
  path: Path,
): readonly { readonly written: string; readonly path: Path }[] {
  if (!isMapping(schema)) return [];
  const { type, properties, items } = schema;
  const own =
    typeof type === 'string' && !schemaTypes.includes(type) ? [{ written: type, path: [...path, 'type'] }] : [];
  const members = Object.entries(mappingOf(properties));
  return [
    ...own,
    ...members.flatMap(([name, one]) => strangeTypes(one, [...path, 'properties', name])),
    ...strangeTypes(items, [...path, 'items']),
  ];
}
