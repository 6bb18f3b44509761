import { isMapping, type JsonObject, jsonIn, listOf, mappingOf, textOf } from '@unroll/engine';
import type { FileDocuments } from './file-documents.ts';

/**
 * The tools of a catalogue (`.tools`), a document each: `id` is the name that a model is told, so that hits can be handed to a
 * `tool_lookup` node; the title is whose tool it is and what it is called; the text holds the description, the arguments and the
 * queries that were made for it. `category` and `tool` are fields to filter by.
 */
export function readCatalogue(text: string): FileDocuments {
  const [head = '', ...lines] = text.split('\n');
  if (!head.startsWith('{"unroll_tools"')) return { documents: [], problems: ['it is no catalogue of tools'] };
  const problems: string[] = [];
  const documents = lines.flatMap((line, at) => {
    if (line.trim() === '') return [];
    const tool = toolIn(line);
    if (tool === undefined) problems.push(`line ${at + 2} is no tool`);
    return tool === undefined ? [] : [documentOf(tool)];
  });
  return { documents, problems };
}

function toolIn(line: string): JsonObject | undefined {
  const value = jsonIn(line);
  return isMapping(value) && textOf(value['name']) !== '' ? value : undefined;
}

function documentOf({ name, api, tool, category, description, parameters, queries = [] }: JsonObject) {
  const members = Object.entries(mappingOf(mappingOf(parameters)['properties']));
  const listed = members.map(([member, schema]) => `${member} ${textOf(mappingOf(schema)['description'])}`.trim());
  const fields = { category: textOf(category), tool: textOf(tool) };
  return {
    id: textOf(name),
    title: [fields.tool, textOf(api)].filter((one) => one !== '').join(' '),
    text: [fields.category, textOf(description), ...listed, ...listOf(queries).map(textOf)]
      .filter((one) => one !== '')
      .join('\n'),
    fields,
  };
}
