import type { Diagnostic } from '../source/diagnostic.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { mappingOf } from '../value/shapes.ts';
import { checkDeclared } from './check-declared.ts';
import { misspeltKeys } from './misspelt-keys.ts';
import { promptyNodeName } from './prompty-node-name.ts';
import type { YamlDocument } from './yaml-document.ts';

/** What is wrong in the front matter of a prompty: its model, and how it declares inputs and outputs. */
export function checkPrompty(root: JsonObject, document: YamlDocument, name: string): readonly Diagnostic[] {
  const misspelt = checkKeys(root, document);
  // A misspelt key may be the one that names it.
  const unnamed = misspelt.length > 0 || namesModel(mappingOf(root['model'])) ? [] : [noModel(root, document, name)];
  return [
    ...misspelt,
    ...unnamed,
    ...checkModel(root, document),
    ...checkDeclared(root, ['inputs', 'outputs'], document),
  ];
}

const rootKeys = ['name', 'description', 'model', 'inputs', 'outputs', 'sample', 'template'];
const modelKeys = ['api', 'configuration', 'parameters', 'response', 'connection'];
const configurationKeys = [
  ...['type', 'connection', 'azure_deployment', 'azure_endpoint', 'api_key', 'api_version', 'auth_mode'],
  ...['model', 'base_url', 'organization'],
];

function checkKeys(root: JsonObject, document: YamlDocument): readonly Diagnostic[] {
  const model = mappingOf(root['model']);
  return [
    ...misspeltKeys(root, rootKeys, document),
    ...misspeltKeys(model, modelKeys, document, ['model']),
    ...misspeltKeys(mappingOf(model['configuration']), configurationKeys, document, ['model', 'configuration']),
  ];
}

const configurationTypes = ['azure_openai', 'azure_open_ai', 'openai', 'open_ai'];

function checkModel(root: JsonObject, { locate }: YamlDocument): readonly Diagnostic[] {
  const model = mappingOf(root['model']);
  const configuration = mappingOf(model['configuration']);
  // What a connection is tells its own type.
  const type = (configuration['connection'] ?? '') === '' ? configuration['type'] : undefined;
  const wrong = (path: readonly string[], message: string, help: string): Diagnostic => {
    return { severity: 'error', code: 'PROMPTY_MODEL', message, span: locate(path), help };
  };
  const api = model['api'] ?? 'chat';
  const response = model['response'] ?? 'first';
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
    ...(namesBoth(configuration)
      ? [
          {
            ...wrong(['model', 'configuration'], bothProblem, 'leave the one or the other out'),
            details: { kind: 'prompty-model-twice' } as const,
          },
        ]
      : []),
  ];
}

function namesModel(model: JsonObject): boolean {
  const configuration = mappingOf(model['configuration']);
  const parameters = mappingOf(model['parameters']);
  const connection = configuration['connection'] ?? model['connection'];
  const { azure_deployment: deployment, model: named } = configuration;
  return (
    connection === 'offline' ||
    typeof model['configuration'] === 'string' ||
    (deployment ?? named ?? parameters['deployment_name'] ?? parameters['model'] ?? null) !== null
  );
}

/** Only a connection that stands in for a model needs no name of one. */
function noModel(root: JsonObject, { locate }: YamlDocument, name: string): Diagnostic {
  const model = mappingOf(root['model']);
  const connection = mappingOf(model['configuration'])['connection'] ?? model['connection'];
  return {
    severity: (connection ?? '') === '' ? 'error' : 'warning',
    code: 'PROMPTY_MODEL',
    message: 'the prompty names no model',
    help: `write azure_deployment or model under model.configuration, or give it for one run: --connections ${promptyNodeName(name)}.model=NAME`,
    span: locate(['model', 'configuration']) ?? locate(['model']) ?? locate([]),
    // When the node is made ready it is refused in Prompt flow's words.
    allowsRun: true,
  };
}

const beside = ['type', 'connection', 'model', 'azure_deployment'];
const bothProblem = 'a model configuration names a connection or describes one, not both';

function namesBoth({ connection, ...configuration }: JsonObject): boolean {
  const isSet = (value: JsonValue | undefined): boolean => (value ?? '') !== '' && value !== false;
  return (
    isSet(connection) && Object.entries(configuration).some(([key, value]) => !beside.includes(key) && isSet(value))
  );
}
