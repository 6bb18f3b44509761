import { basename } from 'node:path/posix';
import {
  type Diagnostic,
  type InspectedNode,
  type InstalledContext,
  isPromptyPath,
  type JsonValue,
  type Prompty,
  readPrompty,
  type SourceFile,
} from '@unroll/engine';
import { moduleFiles } from './module-texts.ts';

type Connections = InstalledContext['connections'];

/** Types of connections that Python code can ask by itself: a prompty that it calls is no node. */
const askable: readonly string[] = ['azure_open_ai', 'open_ai', 'serverless'];

/**
 * Prompties that Python code of the flow names and that fail when it calls them. Warnings, since the text does not tell whether
 * it does.
 */
export function checkCalledPrompties(
  nodes: readonly InspectedNode[],
  { files, connections }: Pick<InstalledContext, 'files' | 'connections'>,
): readonly Diagnostic[] {
  const paths = new Set(nodes.flatMap(({ inspection }) => inspection.files.filter((path) => path.endsWith('.py'))));
  const texts = new Set([...paths].flatMap((path) => moduleFiles(path, files).map(({ text }) => text)));
  const calling = [...texts].filter((text) => text.includes('Prompty'));
  if (calling.length === 0) return [];
  const named = files.list().filter((path) => isPromptyPath(path) && calling.some((text) => names(text, path)));
  return named.flatMap((path) => {
    const file = files.read(path);
    if (file === undefined) return [];
    const givesModel = calling.some((text) => names(text, path) && /\bmodel\s*=|\*\*/.test(text));
    return mistakesOf(file, connections, files, givesModel);
  });
}

function names(text: string, path: string): boolean {
  const name = basename(path);
  return [`"${name}"`, `'${name}'`, `/${name}"`, `/${name}'`].some((written) => text.includes(written));
}

/** @param givesModel whether code that names the prompty may give it another model */
function mistakesOf(
  file: SourceFile,
  connections: Connections,
  files: InstalledContext['files'],
  givesModel: boolean,
): readonly Diagnostic[] {
  const read = readPrompty(file, files);
  if (!read.ok) return read.diagnostics.map((one) => ({ ...one, severity: 'warning' }));
  const written = read.diagnostics.filter(({ allowsRun }) => allowsRun !== true);
  const refused = unaskable(read.prompty, connections);
  return [
    ...written.map((one) => ({ ...one, severity: 'warning' as const })),
    ...refused,
    ...(givesModel || refused.length > 0 ? [] : unsaid(read.prompty, connections)),
  ];
}

function unaskable({ configuration, document }: Prompty, connections: Connections): readonly Diagnostic[] {
  const { connection: name } = configuration;
  const type = typeof name === 'string' ? connections.find(name)?.type : undefined;
  if (type === undefined || askable.includes(type)) return [];
  return [
    {
      severity: 'warning',
      code: 'CONNECTION_DOUBT',
      message: `Python code that calls this prompty cannot ask connection "${String(name)}" of type ${type}`,
      span: document.locate(['model', 'configuration', 'connection']),
      help: `it asks ${askable.join(', ')}; as a node of its own, \`type: prompty\`, the prompty asks any`,
    },
  ];
}

/** A prompty that does not say which model it asks, or where that is. */
function unsaid(
  { name, configuration, parameters, document }: Prompty,
  connections: Connections,
): readonly Diagnostic[] {
  const span = document.locate(['model', 'configuration']) ?? document.locate([]);
  const { azure_deployment: deployment, model, type, ...place } = configuration;
  const isAzure = String(type ?? 'azure_openai').startsWith('azure');
  const environment = isAzure ? 'azure_open_ai_connection' : 'open_ai_connection';
  const variables = isAzure ? 'AZURE_OPENAI_ENDPOINT and AZURE_OPENAI_API_KEY' : 'the variable OPENAI_API_KEY';
  const saysModel = [deployment, model, parameters['deployment_name'], parameters['model']].some(isGiven);
  const saysPlace = Object.values(place).some(isGiven) || connections.find(environment) !== undefined;
  return [
    ...(saysModel
      ? []
      : [
          {
            severity: 'warning' as const,
            code: 'PROMPTY_MODEL',
            message: 'the prompty names no model',
            span,
            help: 'write azure_deployment or model under model.configuration, or give the code one: Prompty.load(…, model={…})',
          },
        ]),
    ...(saysPlace
      ? []
      : [
          {
            severity: 'warning' as const,
            code: 'CONNECTION_DOUBT',
            message: `the model configuration of ${name} does not say where its model is`,
            span,
            help: `set ${variables}, or write connection: NAME`,
          },
        ]),
  ];
}

function isGiven(value: JsonValue | undefined): boolean {
  return (value ?? '') !== '';
}
