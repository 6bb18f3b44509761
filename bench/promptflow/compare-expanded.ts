import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type MadeFlow, madeFlows } from './made-flows.ts';
import { startScriptedModel } from './scripted-model.ts';

/**
 * Runs flows with loops here, and as `flow expand --promptflow` writes them with the package promptflow itself, and compares
 * the outputs row by row. Both ask the same chat service on this machine.
 *
 *     node bench/promptflow/compare-expanded.ts venv/bin/python [FLOW…]     # a Python with promptflow and promptflow-tools
 */
const [python, ...wanted] = process.argv.slice(2);
if (python === undefined) throw new Error('name a Python that has promptflow and promptflow-tools');
const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'unroll-expanded-'));
const model = await startScriptedModel();
try {
  const privacy = privacyFlow();
  let differing = 0;
  const flows = [...madeFlows, privacy].filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  for (const flow of flows) differing += await compare(flow, python);
  process.exitCode = differing === 0 ? 0 : 1;
} finally {
  model.close();
  rmSync(folder, { recursive: true, force: true });
}

type Row = { readonly outputs: unknown } | { readonly error: string };

/** How many rows differ. */
async function compare(flow: MadeFlow, command: string): Promise<number> {
  const own = join(folder, flow.name, 'here');
  const there = join(folder, flow.name, 'there');
  for (const [path, text] of Object.entries(flow.files)) write(join(own, path), text);
  write(join(own, 'connections.yaml'), `model: {type: open_ai, api_key: none, base_url: "${model.address}"}\n`);
  await flowCommand('expand', own, '--promptflow', there);
  const here = await rowsHere(own, flow.rows);
  const theirs = await rowsThere(there, flow.rows, command);
  const equal = flow.rows.map((_, at) => isSame(here[at], theirs[at]));
  process.stdout.write(`${flow.name}: ${equal.filter(Boolean).length} of ${equal.length} rows alike\n`);
  for (const [at, isEqual] of equal.entries()) {
    if (isEqual) continue;
    const [query] = Object.values(flow.rows[at] ?? {});
    process.stdout.write(
      `  ${query}\n    here  ${JSON.stringify(here[at])}\n    there ${JSON.stringify(theirs[at])}\n`,
    );
  }
  return equal.filter((one) => !one).length;
}

/** Both fail, or both give the same. */
function isSame(here: Row | undefined, there: Row | undefined): boolean {
  if (here === undefined || there === undefined) return false;
  if ('error' in here || 'error' in there) return 'error' in here && 'error' in there;
  return isDeepStrictEqual(here.outputs, there.outputs);
}

async function rowsHere(own: string, rows: MadeFlow['rows']): Promise<readonly Row[]> {
  const found: Row[] = [];
  for (const row of rows) {
    const given = Object.entries(row).flatMap(([name, value]) => ['-i', `${name}=${value}`]);
    const { status, outputs, error } = JSON.parse(await flowCommand('run', own, ...given, '--json'));
    found.push(
      status === 'Completed' || status === 'Unfinished' ? { outputs } : { error: String(error?.message ?? status) },
    );
  }
  return found;
}

async function rowsThere(there: string, rows: MadeFlow['rows'], command: string): Promise<readonly Row[]> {
  const value = { api_key: 'none', base_url: model.address };
  const connections = { model: { type: 'OpenAIConnection', module: 'promptflow.connections', value } };
  const said = await run(
    command,
    [join(root, 'bench/promptflow/run-folder.py')],
    JSON.stringify({ folder: there, connections, rows }),
  );
  return said.split('\n').flatMap((line) => (line.startsWith('ROW ') ? [JSON.parse(line.slice(4)) as Row] : []));
}

function flowCommand(...given: readonly string[]): Promise<string> {
  return run(process.execPath, [join(root, 'packages/cli/bin/flow.js'), ...given], '');
}

/** What it printed, however it ended. */
function run(command: string, given: readonly string[], input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, given, { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.once('error', reject);
    child.once('close', () => resolve(said));
    child.stdin.end(input);
  });
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** The sample in Python, with the connection of this comparison. */
function privacyFlow(): MadeFlow {
  const at = join(root, 'flows/privacy-agent');
  const paths = execFileSync('git', ['ls-files'], { cwd: at, encoding: 'utf8' }).trim().split('\n');
  const kept = paths.filter((path) => /\.(py|jinja2)$/.test(path) || path.startsWith('knowledge/'));
  const files = Object.fromEntries(kept.map((path) => [path, readFileSync(join(at, path), 'utf8')]));
  const text = readFileSync(join(at, 'flow.python.dag.yaml'), 'utf8').replaceAll(
    'connection: offline',
    'connection: model',
  );
  const rows = readFileSync(join(at, 'data.jsonl'), 'utf8').trim().split('\n').slice(0, 3);
  return {
    name: 'privacy-agent',
    files: { ...files, 'flow.dag.yaml': text.replaceAll('model: offline', 'model: m') },
    rows: rows.map((row) => ({ query: String(JSON.parse(row).query) })),
  };
}
