import type {
  Diagnostic,
  FlowFiles,
  ImportedModule,
  InspectedNode,
  InstalledContext,
  SourceFile,
  Span,
} from '@unroll/engine';
import { askImports, type MissingImports } from './ask-imports.ts';
import { checkAssistants } from './check-assistant.ts';
import { findPython } from './find-python.ts';
import {
  brokenPackageHelp,
  lackingPackageHelp,
  missingModuleHelp,
  ownModule,
  requirementPlace,
} from './missing-module-help.ts';
import { askedInputs, asPackageNode, unreadyNode } from './package-nodes.ts';
import { importFromStandIn } from './prompt-flow-homes.ts';
import { noPython } from './python-error.ts';
import { pythonStandInsOf } from './python-stand-ins.ts';
import { unfitFile } from './unfit-file.ts';
import { wrongWorkerVariables } from './worker-variables.ts';

type NeededModule = NonNullable<InspectedNode['inspection']['neededModule']>;

/**
 * What keeps the Python code of a flow from being loaded: no Python, a file that is none, an import that is not found, a package
 * of tools that is not installed. The Python that would run the flow is asked; no code of the user's is run.
 */
export async function checkPython(
  nodes: readonly InspectedNode[],
  context: InstalledContext,
): Promise<readonly Diagnostic[]> {
  const { files, environment, modules: named = [] } = context;
  const paths = [...new Set(nodes.flatMap(pythonFiles))].filter((path) => files.read(path) !== undefined);
  const needed = nodes.flatMap(({ inspection }) => inspection.neededModule ?? []);
  if (!nodes.some(isPython) && named.length === 0) return [];
  const variables = { ...process.env, ...environment };
  const first = placeOfFirst(nodes);
  const wrong = wrongWorkerVariables(variables).map((message) => unusable(message, first, 'error', 'PYTHON_SETTING'));
  const python = findPython(files.folder, variables);
  if (!python.ok) return [...wrong, unusable(noPython(python.tried).message, first, 'error')];
  const asked = {
    files: paths,
    entries: nodes.filter(({ definition }) => definition.type === 'flex').flatMap(pythonFiles),
    nodes: nodes.flatMap((node) => asFilesOfNode(node, context)),
    modules: [...new Set([...needed.map(({ name }) => name), ...named.map(({ module }) => module)])],
    tools: [...new Set(needed.map(({ tool }) => tool))],
    packageNodes: nodes.flatMap((node) => asPackageNode(node, context)),
  };
  const { command } = python;
  const answer = await askImports(asked, {
    command,
    folder: files.folder,
    environment,
    standIns: pythonStandInsOf(context),
  });
  if (answer.ok)
    return [
      ...wrong,
      ...diagnosticsOf(answer.missing, needed, files),
      ...absentModules(answer.missing, named, nodes, files),
      ...answer.missing.unready.map((one) => unreadyNode(one, nodes, context.connections)),
      ...answer.missing.assistants.flatMap(({ node, input }) => ofAssistant(node, input, nodes, files)),
    ];
  const message = `${command} cannot tell what the flow's code can import: ${answer.message}`;
  const told = unusable(message, first, answer.isCertain ? 'error' : 'warning');
  return [...wrong, answer.isCertain ? told : { ...told, help: uncheckedHelp }];
}

/** A node whose file is looked through for its one tool, and functions of its assistants that have one too. */
function asFilesOfNode({ definition, inspection }: InspectedNode, { isStandard = false, files }: InstalledContext) {
  const { name: node, type, source } = definition;
  const file = source?.path ?? '';
  if (type !== 'python' || source?.type !== 'code' || !file.endsWith('.py') || files.read(file) === undefined)
    return [];
  const functions = (inspection.loadedFiles ?? []).filter((path) => path.endsWith('.py'));
  return [
    { node, file, onlyMarked: isStandard, ...askedInputs(definition) },
    ...functions.map((path) => ({ node, file: path, onlyMarked: isStandard })),
  ];
}

/** Modules that the flow names to be imported first, by `module:`. */
function absentModules(
  { modules }: MissingImports,
  named: readonly ImportedModule[],
  nodes: readonly InspectedNode[],
  files: FlowFiles,
): readonly Diagnostic[] {
  return named
    .filter(({ module }) => modules.includes(module))
    .map(({ module }) => {
      const naming = nodes.find(({ definition }) => definition.settings['module'] === module);
      return missingImport(module, naming?.definition.locate(['module']), { severity: 'error', files, places: [] });
    });
}

/** Of a tool of a package: which of its inputs is an assistant, the package says. */
function ofAssistant(node: string, input: string, nodes: readonly InspectedNode[], files: FlowFiles) {
  const definition = nodes.find((one) => one.definition.name === node)?.definition;
  return definition === undefined ? [] : checkAssistants(definition, [input], files).diagnostics;
}

/** Whether a node has code that Python runs. */
function isPython(node: InspectedNode): boolean {
  return node.inspection.neededModule !== undefined || pythonFiles(node).length > 0;
}

function pythonFiles({ inspection: { files, loadedFiles = [] } }: InspectedNode): readonly string[] {
  return [...files, ...loadedFiles].filter((path) => path.endsWith('.py'));
}

function placeOfFirst(nodes: readonly InspectedNode[]): Span | undefined {
  const first = nodes.find(isPython);
  return first?.definition.locate(['source']) ?? first?.definition.locate([]);
}

const uncheckedHelp =
  'what is missing would show as the flow is run; check it again: packages that were imported once are read faster';

function unusable(
  message: string,
  span: Span | undefined,
  severity: Diagnostic['severity'],
  code = 'PYTHON_MISSING',
): Diagnostic {
  return { severity, code, message, ...(span === undefined ? {} : { span }) };
}

function diagnosticsOf(
  { missing: found, unreadable, unfit, modules, tools, isDoubtful }: MissingImports,
  needed: readonly NeededModule[],
  files: FlowFiles,
): readonly Diagnostic[] {
  const severityOf = ({ isCalled }: { readonly isCalled: boolean }) => (isDoubtful || isCalled ? 'warning' : 'error');
  const missing = found.map((one) => ({ ...one, name: ownModule(one.name, writtenAt(one, files)) }));
  // A tool may be listed by an old id whose module is gone.
  const absent = needed.filter(({ name, tool }) => modules.includes(name) && tools.some((one) => one.tool === tool));
  const unusable = needed
    .filter(({ name }) => !modules.includes(name))
    .flatMap((one) => tools.filter(({ tool }) => tool === one.tool).map(({ reason }) => ({ ...one, reason })));
  return [
    ...unreadable.flatMap((one) => inFile(one.file, files, (file) => unreadableFile(one, file))),
    ...unfit.flatMap((one) => inFile(one.file, files, (file) => unfitFile(one, file, severityOf(one)))),
    ...firstOfEach(missing).flatMap((one) =>
      inFile(one.file, files, (file) => {
        const places = missing.filter(({ name }) => name === one.name).slice(1);
        const span = { file, start: one.start, end: one.end };
        const severity = severityOf(one);
        return missingImport(one.name, span, { severity, isCalled: one.isCalled, lacking: one.package, files, places });
      }),
    ),
    ...absent.map(({ name, span }) => missingImport(name, span, { severity: 'error', files, places: [] })),
    ...unusable.map(unusableTool),
  ];
}

function inFile(path: string, files: FlowFiles, tell: (file: SourceFile) => Diagnostic): readonly Diagnostic[] {
  const file = files.read(path);
  return file === undefined ? [] : [tell(file)];
}

function writtenAt({ file, start, end }: MissingImports['missing'][number], files: FlowFiles): string {
  return files.read(file)?.text.slice(start, end) ?? '';
}

function firstOfEach(missing: MissingImports['missing']): MissingImports['missing'] {
  return missing.filter(({ name }, at) => missing.findIndex((one) => one.name === name) === at);
}

function unreadableFile(
  { start, message, isCalled }: MissingImports['unreadable'][number],
  file: SourceFile,
): Diagnostic {
  return {
    severity: isCalled ? 'warning' : 'error',
    code: 'PYTHON_SYNTAX',
    message: `${message}: the flow's Python cannot read this file`,
    span: { file, start, end: Math.min(start + 1, file.text.length) },
  };
}

function unusableTool({ tool, span, reason }: NeededModule & { readonly reason: string | null }): Diagnostic {
  const told =
    reason === null
      ? {
          message: `no package of tools that the flow's Python has lists ${tool}`,
          help: 'a tool of an older version of its package may be called otherwise now; docs/package-tools.md has those that come with flow',
        }
      : { message: `the package of tool ${tool} cannot be imported: ${reason}`, help: brokenPackageHelp };
  return { severity: 'error', code: 'IMPORT_MISSING', ...told, ...(span === undefined ? {} : { span }) };
}

interface About {
  readonly severity: Diagnostic['severity'];
  readonly isCalled?: boolean;
  /** An installed package that gives others of its modules. */
  readonly lacking?: string | null;
  readonly files: FlowFiles;
  /** Where else it is imported. */
  readonly places: MissingImports['missing'];
}

function missingImport(
  name: string,
  span: Span | undefined,
  { severity, isCalled = false, lacking = null, files, places }: About,
): Diagnostic {
  const requirement = requirementPlace(name, files);
  const others = places.flatMap(({ file: path, start, end }) => {
    const file = files.read(path);
    return file === undefined ? [] : [{ message: 'imported here too', span: { file, start, end } }];
  });
  const listed = requirement === undefined ? [] : [{ message: 'its package is listed here', span: requirement }];
  const mayBe =
    severity === 'warning'
      ? '; code of the flow changes where modules are looked for or installs some, so that it may be'
      : '';
  const doubt = isCalled ? '; code of the flow that is called imports it, and fails where a row comes to it' : mayBe;
  return {
    severity,
    code: 'IMPORT_MISSING',
    message: `the module ${name} is not found by the flow's Python${doubt}`,
    ...(span === undefined ? {} : { span }),
    help: importFromStandIn(name) ?? (lacking === null ? missingModuleHelp(name, files) : lackingPackageHelp(lacking)),
    notes: [...listed, ...others],
  };
}
