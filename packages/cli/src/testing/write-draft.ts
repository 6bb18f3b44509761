import type { FlowDraft, HelperKind, LoopDraft, NodeDraft } from './random-flow.ts';

/** The files of a drafted flow in the folder `flow`, with its rows beside it. */
export function draftFiles(draft: FlowDraft, modelUrl: string): Readonly<Record<string, string>> {
  const nodes = draft.isReversed ? draft.nodes.toReversed() : draft.nodes;
  return {
    'rows.jsonl': draft.rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    'flow/flow.dag.yaml': flowText(draft, nodes),
    'flow/connections.yaml': `mine: {type: open_ai, api_key: k, base_url: "${modelUrl}/${draft.modelPath}"}\n`,
    'flow/package.json': '{"type": "module", "imports": {"#alias": "./lib/alias-leaf.ts"}}',
    'flow/unused.ts': `export const idle = ${draft.idle};\n`,
    'flow/documents/a.jsonl': draft.documents.map((text, at) => `${JSON.stringify({ id: `d${at}`, text })}\n`).join(''),
    'flow/lib/sum.ts': sumText,
    ...helperFiles(draft.helpers),
    ...Object.fromEntries(draft.nodes.flatMap((node) => nodeFiles(node, draft))),
    ...(draft.loop === undefined ? {} : loopFiles(draft.loop)),
  };
}

/** JsonObject of the process's environment that helpers read. */
export function draftVariables({ helpers }: FlowDraft): Readonly<Record<string, string>> {
  return { DRAFT_VARIABLE: String(helpers.variable), DRAFT_API_KEY: String(helpers.secret) };
}

const sumText = `/** A small number that depends on all of a value. */
export function sum(value: unknown): number {
  let total = 7;
  for (const character of JSON.stringify(value) ?? '') total = (total * 31 + character.charCodeAt(0)) % 9973;
  return total;
}
`;

function flowText({ loop, tone, idle }: FlowDraft, nodes: readonly NodeDraft[]): string {
  const last = nodes
    .filter(({ kind }) => kind !== 'sum' && kind !== 'begin')
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .at(-1);
  return [
    `# ${idle}`,
    'inputs:\n  id: {type: string}\n  q: {type: string}\n  n: {type: int}',
    `outputs:\n  o: {type: object, reference: "\${${last?.name}.output}"}`,
    `environment_variables: {TONE: ${JSON.stringify(tone)}}`,
    `nodes:\n${nodes.map(nodeText).join('')}`,
    loop === undefined ? '' : loopText(loop),
  ].join('\n');
}

function nodeText({ name, kind, reads, literal, setting, activate }: NodeDraft): string {
  const type = {
    code: 'python',
    python: 'python',
    sum: 'python',
    begin: 'python',
    prompt: 'prompt',
    llm: 'llm',
    lookup: 'lookup',
  }[kind];
  const ending = { code: 'ts', python: 'py', sum: 'ts', begin: 'ts', prompt: 'jinja2', llm: 'jinja2', lookup: '' }[
    kind
  ];
  const bound = reads.map((read, at) => `${kind === 'lookup' ? 'query' : `a${at}`}: "\${${referenceTo(read)}}"`);
  const own = {
    code: [`literal: ${literal}`],
    python: [`literal: ${literal}`],
    sum: [],
    begin: [],
    prompt: [`literal: ${literal}`],
    llm: [`literal: ${literal}`, `model: m${setting}`],
    lookup: [],
  }[kind];
  return [
    `  - name: ${name}`,
    `    type: ${type}`,
    ...(kind === 'lookup'
      ? ['    index: documents', `    top_k: ${setting}`]
      : [`    source: {type: code, path: ${fileOf(name)}.${ending}}`]),
    ...(kind === 'llm' ? ['    connection: mine', '    api: chat'] : []),
    ...(kind === 'sum' ? ['    aggregation: true'] : []),
    ...(activate === undefined ? [] : [`    activate: {when: "\${${activate.on}.output.v}", is: ${activate.is}}`]),
    `    inputs: {${[...(kind === 'lookup' ? bound.slice(0, 1) : bound), ...own].join(', ')}}`,
    '',
  ].join('\n');
}

/** A node that is renamed keeps its file. */
function fileOf(name: string): string {
  return name.replace(/b+$/, '');
}

function referenceTo(read: string): string {
  return read.startsWith('inputs.') ? read : `${read}.output`;
}

function nodeFiles(node: NodeDraft, { idle }: FlowDraft): readonly (readonly [string, string])[] {
  const path = `flow/${fileOf(node.name)}`;
  switch (node.kind) {
    case 'lookup':
      return [];
    case 'sum':
      return [[`${path}.ts`, 'export default ({ a0 }: { a0: unknown[] }) => JSON.stringify(a0).length;\n']];
    case 'begin':
      return [[`${path}.ts`, 'export default ({ a0 }: { a0: number }) => ({ finished: false, sum: a0 });\n']];
    case 'python':
      return pythonFiles(path, node);
    case 'code':
      return [[`${path}.ts`, codeText(node)]];
    default:
      return [[`${path}.jinja2`, templateText(node, idle)]];
  }
}

function codeText({ helper, salt, failsOn, readsLine, waits }: NodeDraft): string {
  const help = helper === undefined ? '0' : `await help()`;
  return `import { sum } from './lib/sum.ts';
${helper === undefined ? '' : `import { help } from './lib/${helper}.ts';\n`}
export default async function (given: Record<string, unknown>${readsLine ? ', context: { line: number }' : ''}) {
  ${waits ? 'await new Promise((resolve) => setImmediate(resolve));' : ''}
  ${failsOn === undefined ? '' : `if (given.a1 === ${failsOn}) throw new RangeError('no way');`}
  return { v: (sum(given) + ${salt} + ${readsLine ? 'context.line' : '0'} + (${help})) % 3 };
}
`;
}

function pythonFiles(path: string, { salt }: NodeDraft): readonly (readonly [string, string])[] {
  return [
    [
      `${path}.py`,
      'import json\nfrom promptflow.core import tool\nfrom helpers.salt import SALT\n\n\n@tool\ndef run(**given):\n    return {"v": (len(json.dumps(given)) + SALT) % 3}\n',
    ],
    ['flow/helpers/salt.py', `from .deep import DEEP\n\nSALT = DEEP + ${salt}\n`],
    ['flow/helpers/deep.py', 'DEEP = 0\n'],
  ];
}

/** Comments and blanks between tags are no part of what is rendered. */
function templateText({ kind, reads, salt }: NodeDraft, idle: number): string {
  const blanks = ' '.repeat(1 + (idle % 3));
  const values = reads.map((_, at) => `{{${blanks}a${at}${blanks}}}`).join(' and ');
  const text = `{# ${idle} #}Say ${salt} of {{ literal }}: ${values}`;
  return kind === 'llm' ? `# system:\nBe brief.\n\n# user:\n${text}\n` : `${text}\n`;
}

function loopText({ name, times, reads }: LoopDraft): string {
  return `loops:
  - name: ${name}
    times: ${times}
    state: "\${${referenceTo(reads)}}"
    until: finished
    nodes:
      - name: step
        type: python
        source: {type: code, path: step.ts}
        inputs: {state: "\${loop.state}"}
`;
}

function loopFiles({ salt, helper }: LoopDraft): Readonly<Record<string, string>> {
  return {
    'flow/step.ts': `import { help } from './lib/${helper}.ts';
export default async function ({ state }: { state: { finished: boolean; sum: number } }) {
  if (state.finished) return state;
  const sum = state.sum + ${salt} + (await help());
  return sum > 4 ? { finished: true, content: String(sum % 3) } : { finished: false, sum };
}
`,
  };
}

function helperFiles(helpers: Readonly<Record<HelperKind, number>>): Readonly<Record<string, string>> {
  const leaf = (name: string, kind: HelperKind): Record<string, string> => ({
    [`flow/lib/${name}.ts`]: `export const help = async () => ${helpers[kind]};\n`,
  });
  const version = `${1 + helpers.package}.0.0`;
  return {
    ...leaf('plain', 'plain'),
    'flow/lib/again.ts': "export * from './again-1.ts';\n",
    'flow/lib/again-1.ts': "export { help } from './again-2.ts';\n",
    'flow/lib/again-2.ts': "import { help as deep } from '../lib/deep/index.ts';\nexport const help = deep;\n",
    'flow/lib/deep/index.ts': `export const help = async () => ${helpers.again};\n`,
    'flow/lib/json.ts':
      "import data from './data.json' with { type: 'json' };\nexport const help = async () => data.salt;\n",
    'flow/lib/data.json': JSON.stringify({ salt: helpers.json }),
    'flow/lib/dynamic.ts': "export const help = async () => (await import('./dynamic-leaf.ts')).help();\n",
    ...leaf('dynamic-leaf', 'dynamic'),
    'flow/lib/file.ts':
      "import { readFileSync } from 'node:fs';\nexport const help = async () => Number(readFileSync(new URL('./salt.txt', import.meta.url), 'utf8'));\n",
    'flow/lib/salt.txt': String(helpers.file),
    'flow/lib/folder.ts':
      "import { readFileSync } from 'node:fs';\nconst name = 'a';\nexport const help = async () => Number(readFileSync(new URL(`../salts/$" +
      "{name}.txt`, import.meta.url), 'utf8'));\n",
    'flow/salts/a.txt': String(helpers.folder),
    'flow/lib/package.ts': "import { top } from 'top';\nexport const help = async () => top;\n",
    'flow/node_modules/top/package.json':
      '{"version": "1.0.0", "type": "module", "main": "i.js", "dependencies": {"deep": "*"}}',
    'flow/node_modules/top/i.js': "export { deep as top } from 'deep';\n",
    'flow/node_modules/deep/package.json': `{"version": "${version}", "type": "module", "main": "i.js"}`,
    'flow/node_modules/deep/i.js': `export const deep = ${helpers.package};\n`,
    'flow/lib/alias.ts': "export { help } from '#alias';\n",
    ...leaf('alias-leaf', 'alias'),
    'flow/lib/secret.ts':
      "const name = ['DRAFT', 'API', 'KEY'].join('_');\nexport const help = async () => Number(process.env[name]);\n",
    'flow/lib/computed.ts':
      "import { readFile } from 'node:fs/promises';\nlet kept: number | undefined;\nexport const help = async () => (kept ??= Number(await readFile(new URL(['..', 'salts', 'computed.txt'].join('/'), import.meta.url), 'utf8')));\n",
    'flow/salts/computed.txt': String(helpers.computed),
    'flow/lib/variable.ts': 'export const help = async () => Number(process.env.DRAFT_VARIABLE);\n',
  };
}
