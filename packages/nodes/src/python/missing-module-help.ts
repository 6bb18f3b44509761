import { type FlowFiles, nearestName, type SourceFile, type Span } from '@unroll/engine';
import { shellWord } from '@unroll/engine/values';
import { flowPython } from './flow-python.ts';

/** Packages that are not called like the modules they give. */
const packages: Readonly<Record<string, string>> = {
  bs4: 'beautifulsoup4',
  cv2: 'opencv-python',
  dateutil: 'python-dateutil',
  docx: 'python-docx',
  dotenv: 'python-dotenv',
  faiss: 'faiss-cpu',
  fitz: 'pymupdf',
  'google.auth': 'google-auth',
  'google.oauth2': 'google-auth',
  'google.protobuf': 'protobuf',
  jwt: 'pyjwt',
  MeCab: 'mecab-python3',
  mysql: 'mysql-connector-python',
  opentelemetry: 'opentelemetry-api',
  PIL: 'pillow',
  pptx: 'python-pptx',
  psycopg2: 'psycopg2-binary',
  sklearn: 'scikit-learn',
  speech_recognition: 'speechrecognition',
  yaml: 'pyyaml',
};

/**
 * Names below which many packages put theirs, with what follows in those of one package: `azure.search.documents.models` comes with
 * azure-search-documents, `azure.core.credentials` with azure-core.
 */
const shared: Readonly<Record<string, RegExp>> = {
  azure: /^azure\.((core|cosmos|eventhub|functions|identity|servicebus)\b|\w+\.\w+|\w+)/,
  azureml: /^azureml\.\w+/,
  google: /^google\.(cloud\.\w+|\w+)/,
};

/** What of a module that was not found is told: all that is its package's, where many packages share its first names. */
export function ownModule(absent: string, written: string): string {
  const own = shared[absent.split('.')[0] ?? '']?.exec(written)?.[0];
  return own === undefined || absent.startsWith(`${own}.`) ? absent : own;
}

/** What to do about a module that is not found, for the one who writes the flow. */
export function missingModuleHelp(module: string, files: FlowFiles): string {
  const own = ownPlace(module, files);
  if (own !== undefined)
    return `import it as ${own.module}, which is ${own.path} here: imports count from the folder of the flow`;
  const meant = nearestName(module, ownModules(files));
  const install = installHelp(module, files);
  return meant === undefined ? install : `did you mean "${meant}"? else ${install}`;
}

function installHelp(module: string, files: FlowFiles): string {
  const folder = shownFolder(files);
  const setUp = `flow python setup ${shellWord(folder)}`;
  const { isReady } = flowPython(files.folder);
  const isPromptFlow = /^promptflow(\.|$)/.test(module);
  const reason = isPromptFlow ? `what comes with flow in place of promptflow has no ${module}: ` : '';
  if (requirementPlace(module, files) !== undefined && !isReady) return `${setUp} installs what requirements.txt lists`;
  const list = files.read('requirements.txt') === undefined ? 'list' : 'add';
  const where = list === 'list' ? 'in a requirements.txt' : 'to requirements.txt';
  const known = isPromptFlow || shared[module] === undefined;
  const what = isPromptFlow ? 'promptflow' : `its package${known ? ` (pip install ${packageOf(module)})` : ''}`;
  return `${reason}${list} ${what} ${where} and run ${setUp}, or name a Python that has it: UNROLL_PYTHON=venv/bin/python`;
}

/** Modules that the flow's own code can import by their first name. */
function ownModules(files: FlowFiles): readonly string[] {
  return files.list().flatMap((path) => /^([A-Za-z_]\w*)(?:\.py$|\/[^/]+\.py$)/.exec(path)?.[1] ?? []);
}

/** Where a file or folder of the flow has the name of the module, below a folder: nothing of that name is to be installed. */
function ownPlace(module: string, files: FlowFiles): { readonly path: string; readonly module: string } | undefined {
  const [top = ''] = module.split('.');
  const found = files.list().flatMap((path) => {
    const [, folder = '', rest = ''] = new RegExp(`^((?:[A-Za-z_]\\w*/)+)${top}(\\.py$|/[^/]+\\.py$)`).exec(path) ?? [];
    return rest === '' || folder.includes('site-packages/') ? [] : [`${folder}${top}${rest === '.py' ? rest : '/'}`];
  });
  const [path] = found.sort((one, other) => one.length - other.length);
  return path === undefined ? undefined : { path, module: path.replace(/\.py$|\/$/, '').replaceAll('/', '.') };
}

/** What to do about a module that a package which is installed does not have, in this version of it. */
export function lackingPackageHelp(name: string): string {
  return `${name} is installed, and its version there has no such module: install the version that the code is written for, or import what it has in place of it`;
}

/** What to do about a package of tools that Python cannot import. */
export const brokenPackageHelp = 'install what it needs, or another version of it, in the Python that runs the flow';

/** The line of requirements.txt that lists the package of a module. */
export function requirementPlace(module: string, files: FlowFiles): Span | undefined {
  const file = files.read('requirements.txt');
  if (file === undefined) return undefined;
  const wanted = new Set([packageOf(module), plain(module.split('.')[0] ?? ''), plain(module)]);
  return requirements(file).find(({ name }) => wanted.has(name) || wanted.has(name.replace(/-binary$/, '')))?.span;
}

function packageOf(module: string): string {
  const [top = ''] = module.split('.');
  const own = ownModule(module, module);
  return packages[own] ?? packages[top] ?? plain(shared[top] === undefined ? top : own);
}

/** Each line that names a package: by itself, with a version, or in the name of a wheel. */
function requirements(file: SourceFile): readonly { readonly name: string; readonly span: Span }[] {
  return [...file.text.matchAll(/^[ \t]*(?![#-])(?:[^\s#]*\/)?([A-Za-z0-9][\w.]*(?:-(?!\d)[\w.]+)*)[^\n#]*/gm)].map(
    ({ 0: line, 1: name = '', index }) => ({
      name: plain(name),
      span: { file, start: index, end: index + line.trimEnd().length },
    }),
  );
}

/** As package indexes compare names (PEP 503). */
function plain(name: string): string {
  return name.replaceAll(/[-_.]+/g, '-').toLowerCase();
}

/** As it can be typed where the command was given. */
function shownFolder(files: FlowFiles): string {
  const definition = files.list().find((path) => /^[^/]+\.(ya?ml|prompty)$/.test(path));
  const shown = definition === undefined ? '' : (files.read(definition)?.path ?? '');
  return shown.split('/').slice(0, -1).join('/') || '.';
}
