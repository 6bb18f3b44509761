import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createFlowFiles,
  formatDiagnostics,
  learningConnections,
  type PrepareContext,
  parseYaml,
  Redactor,
  ScopeSlots,
  type Tool,
} from '@unroll/engine';
import { connectionSource } from '../../connections/connection-source.ts';
import { givePythonStandIns, type PythonStandIn } from '../../python/python-stand-ins.ts';
import { openToolTable } from './open-tool-table.ts';
import { readToolTable } from './read-tool-table.ts';

/**
 * The tools of a `tools.yaml` for code of a flow: `await openTools(new URL('tools.yaml', import.meta.url))`. Paths and
 * connections are those of the file's folder. What the tools hold open is closed with the process.
 *
 * @param options `pythonStandIns`: modules that Python tools may import though they are not installed, such as
 *   `promptFlowModules` of `@unroll/promptflow`
 * @throws Error with every mistake of the file and its place
 */
export async function openTools(
  url: URL,
  { pythonStandIns = [] }: { readonly pythonStandIns?: readonly PythonStandIn[] } = {},
): Promise<readonly Tool[]> {
  const path = fileURLToPath(url);
  const folder = dirname(path);
  const files = createFlowFiles(folder, folder);
  const name = path.slice(folder.length + 1);
  const environment = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const { locate } = parseYaml({ path: name, text: '' });
  const { table, diagnostics } = readToolTable({ name, settings: { tools: name }, locate }, files);
  if (diagnostics.some(({ severity }) => severity === 'error')) throw new Error(formatDiagnostics(diagnostics));
  const redactor = new Redactor();
  const context: PrepareContext = {
    flow: new ScopeSlots(),
    files,
    connections: learningConnections(connectionSource({ folders: [folder], environment }), redactor),
    environment: {},
    flowId: name,
    messageFormat: 'basic',
    valuesOpenRoles: false,
    redactor,
    onClose: () => undefined,
  };
  givePythonStandIns(context, pythonStandIns);
  return (await openToolTable(table, context)).tools;
}
