import type { Diagnostic } from '../source/diagnostic.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { Value, Values } from '../value/json.ts';
import { isMapping } from '../value/shapes.ts';
import { parseYaml, type YamlDocument } from './yaml-document.ts';

/** A `.prompty` file: what its front matter says, and its template. */
export interface Prompty {
  readonly name: string;
  readonly description?: string;
  readonly api: 'chat' | 'completion';
  /** `{type, azure_endpoint, azure_deployment, api_key …}`, or `{connection, azure_deployment}`; as written. */
  readonly configuration: Values;
  /** Parameters of the API, sent as they are. */
  readonly parameters: Values;
  /** `first` gives the text of the first choice, `all` the whole answer of the service. */
  readonly response: 'first' | 'all';
  readonly inputs: Values;
  /** Names of declared outputs. */
  readonly outputs: readonly string[];
  /** Inputs to try it with, or the JSON file that holds them. */
  readonly sample?: Value;
  /** The same file with its front matter blanked, so that places in the template are places in the file. */
  readonly template: SourceFile;
  readonly document: YamlDocument;
}

export type ReadPrompty =
  | { readonly ok: true; readonly prompty: Prompty; readonly diagnostics: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Reads a `.prompty` file: YAML between two lines of dashes, then a template. */
export function readPrompty(file: SourceFile): ReadPrompty {
  const parts = split(file);
  if (parts === undefined) return { ok: false, diagnostics: [illegalForm(file)] };
  const document = parseYaml(parts.front);
  const root = document.value;
  if (root === undefined) return { ok: false, diagnostics: document.diagnostics };
  if (root !== null && !isMapping(root)) return { ok: false, diagnostics: [illegalForm(file)] };
  const values = root ?? {};
  const prompty = promptyOf(values, file, parts.template, document);
  return { ok: true, prompty, diagnostics: [...document.diagnostics, ...checkModel(values, document)] };
}

/** What of a prompty's answer is JSON: `response_format: {type: json_object}`. */
export function answersJson({ parameters }: Prompty): boolean {
  const format = parameters['response_format'];
  return isMapping(format) && format['type'] === 'json_object';
}

function promptyOf(root: Values, file: SourceFile, template: SourceFile, document: YamlDocument): Prompty {
  const model = mapping(root['model']);
  const inputs = mapping(root['inputs']);
  const sample = root['sample'] ?? sampleOf(inputs);
  return {
    name: typeof root['name'] === 'string' ? root['name'] : stemOf(file.path),
    ...(typeof root['description'] === 'string' ? { description: root['description'] } : {}),
    api: model['api'] === 'completion' ? 'completion' : 'chat',
    configuration: {
      ...(model['connection'] === undefined ? {} : { connection: model['connection'] }),
      ...mapping(model['configuration']),
    },
    parameters: mapping(model['parameters']),
    response: model['response'] === 'all' ? 'all' : 'first',
    inputs,
    outputs: Object.keys(mapping(root['outputs'])),
    ...(sample === undefined ? {} : { sample }),
    template,
    document,
  };
}

/** `sample` of single inputs, as newer files write it. */
function sampleOf(inputs: Values): Values | undefined {
  const samples = Object.entries(inputs).flatMap(([name, input]) =>
    isMapping(input) && input['sample'] !== undefined ? [[name, input['sample']] as const] : [],
  );
  return samples.length === 0 ? undefined : Object.fromEntries(samples);
}

function split(file: SourceFile): { readonly front: SourceFile; readonly template: SourceFile } | undefined {
  const { path, text } = file;
  const opening = /^\s*-{3,}[ \t]*\r?\n/.exec(text);
  if (opening === null) return undefined;
  const start = opening[0].length;
  const closing = /^-{3,}[ \t]*(?:\r?\n|$)/m.exec(text.slice(start));
  if (closing === null) return undefined;
  const end = start + closing.index;
  const bodyStart = end + closing[0].length;
  return {
    front: { path, text: blank(text.slice(0, start)) + text.slice(start, end) },
    template: { path, text: blank(text.slice(0, bodyStart)) + text.slice(bodyStart) },
  };
}

function blank(text: string): string {
  return text.replaceAll(/[^\r\n]/g, ' ');
}

function illegalForm(file: SourceFile): Diagnostic {
  return {
    severity: 'error',
    code: 'PROMPTY_FORM',
    message: 'a prompty starts with its settings as YAML between two lines of dashes; its template follows',
    span: { file, start: 0, end: Math.max(0, file.text.indexOf('\n')) },
    promptFlow: {
      code: 'UserErrorException',
      message:
        'Illegal formatting of prompty. The prompt file is in markdown format and can be divided into two parts, the first part is in YAML format and contains connection and model information. The second part is the prompt template.',
    },
  };
}

const configurationTypes = ['azure_openai', 'azure_open_ai', 'openai', 'open_ai'];

function checkModel(root: Values, { locate }: YamlDocument): readonly Diagnostic[] {
  const model = mapping(root['model']);
  const { type } = mapping(model['configuration']);
  const wrong = (path: readonly string[], message: string, help: string): Diagnostic => {
    const span = locate(path);
    return { severity: 'error', code: 'PROMPTY_MODEL', message, ...(span === undefined ? {} : { span }), help };
  };
  const { api = 'chat', response = 'first' } = model;
  return [
    ...(api === 'chat' || api === 'completion'
      ? []
      : [wrong(['model', 'api'], `a prompty cannot ask the API "${String(api)}"`, 'it is chat or completion')]),
    ...(response === 'first' || response === 'all'
      ? []
      : [wrong(['model', 'response'], `there is no response "${String(response)}"`, 'it is first or all')]),
    ...(type === undefined || configurationTypes.includes(String(type))
      ? []
      : [
          wrong(
            ['model', 'configuration', 'type'],
            `there is no model configuration of type "${String(type)}"`,
            'it is azure_openai or openai; for any other service write connection: NAME',
          ),
        ]),
  ];
}

/** `folder/my chat.prompty` is `my chat`. */
function stemOf(path: string): string {
  return (path.split(/[\\/]/).at(-1) ?? path).replace(/\.prompty$/, '');
}

function mapping(value: Value | undefined): Values {
  return isMapping(value) ? value : {};
}
