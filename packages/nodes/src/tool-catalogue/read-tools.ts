import {
  isMapping,
  type JsonObject,
  type JsonValue,
  listOf,
  mappingOf,
  parseJson,
  parseYaml,
  placeOf,
  type SourceFile,
  textOf,
  thrownText,
} from '@unroll/engine';
import type { DescribedTool, PlacedTool, ReadTools, ToolMistake } from './catalogue-tool.ts';
import { type FoundTool, type Misread, readOpenApi } from './read-openapi.ts';

/** Files that tools are read from. */
export const toolExtensions = ['.jsonl', '.json', '.yaml', '.yml'] as const;

/**
 * The tools that a file describes: an OpenAPI document, a list of tools as OpenAI's API takes it, the answer of an MCP
 * server to `tools/list`, or one tool a line (JSONL). What a file is is told by its shape, not by its name. A mistake in
 * one tool leaves the others readable.
 */
export function readTools(file: SourceFile): ReadTools {
  if (file.path.endsWith('.jsonl')) return readLines(file);
  const read = file.path.endsWith('.json') ? readJson(file) : readYamlValue(file);
  if ('message' in read) return { tools: [], mistakes: [{ place: read.place, message: read.message }] };
  const found = toolsIn(read.value);
  if (found === undefined) {
    const message =
      'no tools: expected an OpenAPI document (openapi, paths), a list of tools, or an answer to tools/list ({tools: […]})';
    return { tools: [], mistakes: [{ place: file.path, message }] };
  }
  const locate = placesIn(file);
  const tools = found.flatMap((one) => ('tool' in one ? [{ tool: one.tool, place: locate(one.path) }] : []));
  const mistakes = found.flatMap((one) =>
    'message' in one ? [{ place: locate(one.path), message: one.message }] : [],
  );
  return { tools, mistakes };
}

/** The tools of a document by its shape; undefined where it is none that is known. */
function toolsIn(value: JsonValue): readonly (FoundTool | Misread)[] | undefined {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((one, at) => toolAt(one, [at]));
  if (!isMapping(value)) return undefined;
  if (isMapping(value['paths'])) return readOpenApi(value);
  const answer = isMapping(value['result']) ? value['result'] : value;
  const before = answer === value ? [] : ['result'];
  const list = answer['tools'] ?? answer['functions'];
  if (!Array.isArray(list)) return undefined;
  const key = answer['tools'] === undefined ? 'functions' : 'tools';
  const server = textOf(mappingOf(answer['serverInfo'])['name']);
  return listOf(list).map((one, at) => toolAt(one, [...before, key, at], server));
}

function toolAt(value: JsonValue, path: readonly (string | number)[], server = ''): FoundTool | Misread {
  const read = describedTool(value, server);
  return typeof read === 'string' ? { path, message: read } : { path, tool: read };
}

const shapes =
  'expected {name, description, parameters}, {type: "function", function: {…}}, {name, inputSchema} or {tool, api, description}';

/**
 * One tool in any of the shapes that tools are written in: OpenAI's tools and functions, MCP's tools, and lines of
 * ToolBench (`tool`, `api`, lists of required and optional parameters). A text says what is wrong.
 */
export function describedTool(value: JsonValue, server = ''): DescribedTool | string {
  if (!isMapping(value)) return shapes;
  const body = isMapping(value['function']) ? value['function'] : value;
  const own = textOf(body['api']) || textOf(body['name']);
  if (own.trim() === '') return `the tool has no name: ${shapes}`;
  const parameters = parametersOf(body);
  if (typeof parameters === 'string') return `"${own}": ${parameters}`;
  const group = textOf(body['tool']) || textOf(body['group']) || server;
  const description = textOf(body['description']) || textOf(body['title']);
  const call = mappingOf(body['call']);
  const queries = listOf(body['queries'] ?? [])
    .map(textOf)
    .filter((one) => one !== '');
  return {
    own,
    group,
    category: textOf(body['category']),
    description,
    parameters,
    ...(queries.length > 0 ? { queries } : {}),
    ...(Object.keys(call).length > 0 ? { call } : {}),
  };
}

function parametersOf(body: JsonObject): JsonObject | string {
  const written = body['parameters'] ?? body['inputSchema'] ?? body['input_schema'];
  if (written === undefined || written === null) return listedParameters(body);
  if (!isMapping(written)) return 'its parameters are no JSON Schema of an object';
  const { type = 'object', properties = {} } = written;
  if (type !== 'object' || !isMapping(properties)) return 'its parameters are no JSON Schema of an object';
  return { ...written, type, properties };
}

/** ToolBench's lists; types it writes in capitals and some that JSON Schema does not know. */
function listedParameters(body: JsonObject): JsonObject {
  const required = listOf(body['required']).filter(isMapping);
  const all = [...required, ...listOf(body['optional']).filter(isMapping)];
  return {
    type: 'object',
    properties: Object.fromEntries(all.map((one) => [textOf(one['name']), listedSchema(one)])),
    ...(required.length === 0 ? {} : { required: required.map(({ name }) => textOf(name)) }),
  };
}

const schemaTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object'];

function listedSchema({ type, description, default: example }: JsonObject): JsonObject {
  const written = textOf(type).toLowerCase();
  const known = schemaTypes.includes(written) ? written : 'string';
  const isShown = example !== undefined && example !== null && example !== '';
  return {
    type: known,
    ...(textOf(description) === '' ? {} : { description: textOf(description) }),
    ...(isShown ? { default: example } : {}),
  };
}

function readLines(file: SourceFile): ReadTools {
  const tools: PlacedTool[] = [];
  const mistakes: ToolMistake[] = [];
  for (const [at, line] of file.text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const place = `${file.path}:${at + 1}`;
    const read = readLine(line);
    if (typeof read === 'string') mistakes.push({ place, message: read });
    else tools.push({ tool: read, place });
  }
  return { tools, mistakes };
}

function readLine(line: string): DescribedTool | string {
  try {
    return describedTool(parseJson(line));
  } catch (error) {
    return `no JSON: ${thrownText(error)}`;
  }
}

type ReadValue = { readonly value: JsonValue } | ToolMistake;

function readJson(file: SourceFile): ReadValue {
  try {
    return { value: parseJson(file.text) };
  } catch (error) {
    return { place: file.path, message: `no JSON: ${thrownText(error)}` };
  }
}

function readYamlValue(file: SourceFile): ReadValue {
  const { value, diagnostics } = parseYaml(file);
  const [first] = diagnostics;
  if (value !== undefined) return { value };
  const line = first?.span === undefined ? '' : `:${placeOf(file, first.span.start).line}`;
  return { place: `${file.path}${line}`, message: first?.message ?? 'no YAML' };
}

/** Lines by path; the text is walked once, when the first is asked for (JSON is YAML). A large file is told by path. */
function placesIn(file: SourceFile): (path: readonly (string | number)[]) => string {
  if (file.text.length > largestLocated) return (path) => `${file.path}: ${path.join('.')}`;
  let parsed: ReturnType<typeof parseYaml> | undefined;
  return (path) => {
    parsed ??= parseYaml(file);
    const span = parsed.locate(path, 'key') ?? parsed.locate(path);
    return span === undefined ? file.path : `${file.path}:${placeOf(file, span.start).line}`;
  };
}

const largestLocated = 2_000_000;
