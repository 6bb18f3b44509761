import { checkDeclared } from '../flow/check-declared.ts';
import { unknownKey } from '../flow/check-shape.ts';
import { type ReferencedFiles, withFileReferences } from '../flow/file-references.ts';
import type { FlowInputSpec, FlowOutputSpec, FlowSpec, NodeSpec, SpecPath } from '../flow/flow-spec.ts';
import type { ParsedFlow } from '../flow/parse-flow.ts';
import { meantType } from '../flow/value-types.ts';
import { maxWritten, parseYaml, type YamlDocument } from '../flow/yaml-document.ts';
import type { EntrySignature } from '../node/signature.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { isMapping } from '../value/shapes.ts';
import { initDefaults, strangeArguments } from './flex-arguments.ts';
import { noModule, noSuchName, notCallable, type Problem } from './flex-problem.ts';

export interface ParseFlexOptions {
  /** What can be seen of the entry without running it; undefined where its file is not there. */
  readonly readEntry: (entry: string) => EntrySignature | undefined;
  /** Files of its folder, which `${file:NAME}` in its sample stands for. */
  readonly files: ReferencedFiles;
}

/**
 * Reads a `flow.flex.yaml`: a Python function, or a class whose instances are called, as a flow of one node of type `flex`. A
 * class with `__aggregate__` has a second node, which makes the metrics. Inputs and outputs that are not declared are those of
 * the signature.
 */
export function parseFlex(file: SourceFile, options: ParseFlexOptions): ParsedFlow {
  const document = parseYaml(file, { longest: maxWritten });
  if (document.value === undefined) return { diagnostics: document.diagnostics };
  const root = withSample(isMapping(document.value) ? document.value : {}, options.files);
  const found = findEntry(root, file.path, options);
  const unknown = unknownKeys(root, document);
  if ('message' in found) return flexRefusal(document, found, unknown);
  // What Prompt flow would say of them is known for prompties alone.
  const declared = checkDeclared(root, ['inputs', 'outputs', 'init'], document).map(({ details: _, ...told }) => told);
  const strange = strangeArguments(root, found.signature, document);
  const diagnostics = [...document.diagnostics, ...unknown, ...declared, ...strange];
  return { spec: specOf(file, document, root, found), diagnostics };
}

/** A file that is not there is told where the sample is needed. */
function withSample(root: JsonObject, files: ReferencedFiles): JsonObject {
  const { sample } = root;
  return sample === undefined ? root : { ...root, sample: withFileReferences(sample, files) };
}

const knownKeys = [
  ...['entry', 'inputs', 'outputs', 'init', 'sample', 'environment', 'environment_variables', 'additional_includes'],
  ...['name', 'description', 'display_name', 'tags', 'language', 'code', 'type', '$schema'],
];

function unknownKeys(root: JsonObject, document: YamlDocument): readonly Diagnostic[] {
  const absent = knownKeys.filter((key) => !Object.hasOwn(root, key));
  return Object.keys(root)
    .filter((key) => !knownKeys.includes(key))
    .map((key) => unknownKey(document, [], key, absent));
}

/** `chat.answer`, as other tools write it, is `chat:answer`. */
function meantEntry(written: string): string {
  const [, module, name] = /^([\w.]+)\.(\w+)$/.exec(written) ?? [];
  return module === undefined || name === 'py'
    ? 'for instance entry: chat:answer'
    : `did you mean "${module}:${name}"?`;
}

/** The signature of the entry, or why there is none. */
function findEntry({ entry }: JsonObject, file: string, { readEntry }: ParseFlexOptions): Problem | Entry {
  if (typeof entry !== 'string' || !/^[\p{L}\p{N}_.]+:[\p{L}\p{N}_.]+$/u.test(entry)) {
    const written = typeof entry === 'string' || typeof entry === 'number' ? String(entry) : '';
    const shown = written === '' ? '' : `, not ${typeof entry === 'string' ? `"${entry}"` : written}`;
    return {
      message: `entry must be module:function or module:Class${shown}`,
      help: meantEntry(written),
      details: { kind: 'entry-form', entry: written },
    };
  }
  const signature = readEntry(entry);
  if (signature === undefined) return noModule(entry, file);
  return noSuchName(entry, signature) ?? notCallable(entry, signature) ?? { entry, signature };
}

interface Entry {
  readonly entry: string;
  readonly signature: EntrySignature;
}

function specOf(file: SourceFile, document: YamlDocument, root: JsonObject, entry: Entry): FlowSpec {
  const inputs = inputsOf(root, entry.signature);
  const declared = isMapping(root['outputs']) ? Object.keys(root['outputs']) : entry.signature.outputs;
  const [main, ...rest] = nodesOf(root, entry, inputs);
  return {
    file,
    ...(typeof root['name'] === 'string' ? { name: root['name'] } : {}),
    isStandard: true,
    valuesOpenRoles: false,
    messageFormat: 'basic',
    inputs,
    outputs: (declared ?? ['output']).map((name) => outputOf(name, declaredType(root['outputs'], name), main.name)),
    answersBy: main.name,
    ...(entry.signature.inputs === undefined ? { takesAnyInput: true as const } : {}),
    nodes: [main, ...rest],
    loops: [],
    nodeVariants: {},
    environmentVariables: isMapping(root['environment_variables']) ? root['environment_variables'] : {},
    additionalIncludes: [],
    otherKeys: root['environment'] === undefined ? {} : { environment: root['environment'] },
    ...(root['sample'] === undefined ? {} : { sample: sampleInputs(root['sample']) }),
    locate: (path, part) => document.locate(written(path), part),
  };
}

/** `sample: {inputs: {…}}`, or the inputs themselves. */
function sampleInputs(sample: JsonValue): JsonValue {
  return isMapping(sample) ? (sample['inputs'] ?? (sample['init'] === undefined ? sample : {})) : sample;
}

/** `sample: {init: {…}}`: arguments of the constructor when none are given. */
function sampleInit({ sample }: JsonObject): JsonValue {
  return isMapping(sample) && isMapping(sample['init']) ? sample['init'] : {};
}

/**
 * Those of the file bind every row by their types. Those that only the signature tells of are left to the code, and so is
 * one whose default is an empty text, which stands for None.
 */
function inputsOf(root: JsonObject, signature: EntrySignature): readonly FlowInputSpec[] {
  const parameters = signature.inputs ?? [];
  const declared = isMapping(root['inputs']) ? root['inputs'] : {};
  const written = Object.entries(declared).map(([name, value]) => {
    const own = parameters.find((parameter) => parameter.name === name);
    const input = isMapping(value) ? value : {};
    return own !== undefined && input['default'] === '' ? annotated(own) : declaredInput(name, input, own);
  });
  return [...written, ...parameters.filter(({ name }) => !Object.hasOwn(declared, name)).map(annotated)];
}

function declaredInput(name: string, input: JsonObject, own: EntryParameter | undefined): FlowInputSpec {
  const { default: fallback = null, is_chat_history: isChatHistory } = input;
  return {
    name,
    type: meantType(String(input['type'] ?? own?.type ?? 'object')),
    ...(fallback === null ? {} : { default: fallback }),
    ...(own === undefined ? {} : { hasOwnDefault: !own.required }),
    isChatInput: input['is_chat_input'] === true,
    ...(typeof isChatHistory === 'boolean' ? { isChatHistory } : {}),
  };
}

type EntryParameter = NonNullable<EntrySignature['inputs']>[number];

function annotated({ name, type = 'object', required, default: fallback = null }: EntryParameter): FlowInputSpec {
  const known = fallback === null ? {} : { default: fallback };
  return { name, type, ...known, isAnnotated: true, hasOwnDefault: !required, isChatInput: false };
}

function nodesOf(
  root: JsonObject,
  { entry, signature }: Entry,
  inputs: readonly FlowInputSpec[],
): readonly [NodeSpec, ...NodeSpec[]] {
  const name = entry.split(':').at(-1) ?? entry;
  const settings: JsonObject = {
    entry,
    init: initDefaults(root['init']),
    sampleInit: sampleInit(root),
    isClass: signature.isClass,
  };
  const shared = {
    type: 'flex',
    source: { type: 'code' as const, path: signature.path },
    useVariants: false,
    settings,
  };
  const main: NodeSpec = {
    ...shared,
    name,
    inputs: Object.fromEntries(inputs.map((input) => [input.name, `\${inputs.${input.name}}`])),
    aggregation: false,
    path: ['nodes', 0],
  };
  if (!signature.aggregates) return [main];
  const aggregate: NodeSpec = {
    ...shared,
    name: `${name}_aggregate`,
    inputs: { line_results: `\${${name}.output}` },
    aggregation: true,
    path: ['nodes', 1],
  };
  return [main, aggregate];
}

/** `object` where none is written. */
function declaredType(outputs: JsonValue | undefined, name: string): string {
  const written = isMapping(outputs) ? outputs[name] : undefined;
  return isMapping(written) && typeof written['type'] === 'string' ? meantType(written['type']) : 'object';
}

function outputOf(name: string, type: string, node: string): FlowOutputSpec {
  return { name, type, reference: `\${${node}.output}`, evaluationOnly: false, isChatOutput: false };
}

function flexRefusal(
  document: YamlDocument,
  { message, help, details }: Problem,
  beside: readonly Diagnostic[],
): ParsedFlow {
  const diagnostic: Diagnostic = {
    severity: 'error',
    code: 'FLEX_ENTRY',
    message,
    span: document.locate(['entry']) ?? document.locate([]),
    help,
    details,
  };
  return { diagnostics: [...document.diagnostics, ...beside, diagnostic] };
}

/** Where what the flow's nodes are made of stands in the file. */
function written(path: SpecPath): SpecPath {
  const [list, , key, ...rest] = path;
  if (list !== 'nodes') return path;
  return key === 'inputs' ? ['inputs', ...rest] : ['entry'];
}
