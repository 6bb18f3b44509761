import type { SourceFile } from '../source/source-file.ts';
import type { JsonValue } from '../value/json.ts';
import { isMapping, mappingOf } from '../value/shapes.ts';
import type { ChosenModel } from './chosen-model.ts';
import type { ReferencedFiles } from './file-references.ts';
import type { FlowInputSpec, FlowOutputSpec, FlowSpec, NodeSpec, SpecPath } from './flow-spec.ts';
import type { ParsedFlow } from './parse-flow.ts';
import { promptyNodeName } from './prompty-node-name.ts';
import { answersInPieces, answersJson, type Prompty, readPrompty } from './read-prompty.ts';
import { meantType } from './value-types.ts';

/**
 * A `.prompty` file as a flow of one node, which is of type `prompty` and named after it.
 *
 * @param choose what the node of that name asks instead of what is written
 */
export function parsePrompty(
  file: SourceFile,
  files: ReferencedFiles,
  choose: (node: string) => ChosenModel | undefined = () => undefined,
): ParsedFlow {
  const written = readPrompty(file, files);
  if (!written.ok) return written;
  const chosen = choose(promptyNodeName(written.prompty.name));
  const read = chosen === undefined ? written : readPrompty(file, files, chosen);
  return read.ok ? { spec: specOf(file, read.prompty), diagnostics: read.diagnostics } : read;
}

function specOf(file: SourceFile, prompty: Prompty): FlowSpec {
  const node = nodeOf(file, prompty);
  const { name, description, sample } = prompty;
  return {
    file,
    name,
    ...(description === undefined ? {} : { description }),
    isStandard: true,
    valuesOpenRoles: false,
    messageFormat: 'basic',
    inputs: Object.entries(prompty.inputs).map(([input, written]) => inputOf(input, written)),
    outputs: outputsOf(prompty, node.name),
    // The whole reply of the service is one value, whatever its members.
    ...(prompty.response === 'all' ? {} : { answersBy: node.name }),
    readsImageTexts: true,
    nodes: [node],
    loops: [],
    nodeVariants: {},
    environmentVariables: {},
    additionalIncludes: [],
    otherKeys: {},
    ...(sample === undefined ? {} : { sample }),
    locate: (path, part) =>
      prompty.document.locate(written(path), part) ??
      prompty.document.locate(written(path).slice(0, -1)) ??
      prompty.document.locate(inSample(path), part) ??
      prompty.document.locate([]),
  };
}

function nodeOf(file: SourceFile, prompty: Prompty): NodeSpec {
  const { inputs, configuration } = prompty;
  const { connection } = configuration;
  return {
    name: promptyNodeName(prompty.name),
    type: 'prompty',
    source: { type: 'code', path: file.path.split(/[\\/]/).at(-1) ?? file.path },
    // A variable of the environment that holds its name is looked at when the flow is made ready.
    ...(typeof connection === 'string' && !connection.startsWith('${') ? { connection } : {}),
    inputs: Object.fromEntries(Object.keys(inputs).map((input) => [input, `\${inputs.${input}}`])),
    aggregation: false,
    useVariants: false,
    settings: answersInPieces(prompty) ? { streams: true } : {},
    path: ['nodes', 0],
  };
}

/** An input is a mapping as in a flow, or its default alone. */
function inputOf(name: string, written: JsonValue): FlowInputSpec {
  const input = isMapping(written) ? written : { default: written };
  const fallback = input['default'] ?? null;
  const type = input['type'] ?? (typeof fallback === 'string' ? 'string' : 'object');
  return {
    name,
    type: meantType(String(type)),
    ...(fallback === null ? {} : { default: fallback }),
    ...(input['isOfSample'] === true ? { isOfSample: true as const } : {}),
    ...(typeof input['description'] === 'string' ? { description: input['description'] } : {}),
    isChatInput: input['is_chat_input'] === true,
    ...(typeof input['is_chat_history'] === 'boolean' ? { isChatHistory: input['is_chat_history'] } : {}),
  };
}

/** The keys of the JSON answer that are declared; else the answer as a whole. */
function outputsOf(prompty: Prompty, node: string): readonly FlowOutputSpec[] {
  const declared = Object.entries(prompty.outputs);
  const isSplit = answersJson(prompty) && prompty.response === 'first' && declared.length > 0;
  const type = answersJson(prompty) || prompty.response === 'all' ? 'object' : 'string';
  const shared = { type, reference: `\${${node}.output}`, evaluationOnly: false, isChatOutput: false };
  if (!isSplit) return [{ name: 'output', ...shared }];
  return declared.map(([name, output]) => ({
    ...shared,
    name,
    type: meantType(String(mappingOf(output)['type'] ?? type)),
  }));
}

/** Where what the flow's one node is made of stands in the front matter. */
function written(path: SpecPath): SpecPath {
  const [list, , key, ...rest] = path;
  if (list !== 'nodes') return path;
  if (key === 'inputs') return ['inputs', ...rest];
  if (key === 'connection') return ['model', 'configuration', 'connection'];
  return ['name'];
}

/** Where only the sample tells of an input, it is declared there. */
function inSample(path: SpecPath): SpecPath {
  const [list, name = ''] = written(path);
  return list === 'inputs' ? ['sample', name] : written(path);
}
