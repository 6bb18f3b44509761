import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { esbuildOptions } from '../installed/esbuild-options.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/library.md'), 'utf8');

/** Runs a program as Node runs a file of its own, with the runs it makes kept apart. */
async function run(program: string): Promise<{ readonly code: number | null; readonly stdout: string }> {
  const runs = mkdtempSync(join(tmpdir(), 'unroll-library-'));
  try {
    const child = spawn(process.execPath, [join(import.meta.dirname, program)], {
      cwd: root,
      env: { ...process.env, FLOW_RUNS: runs },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let stdout = '';
    child.stdout.on('data', (text) => {
      stdout += text;
    });
    const code = await new Promise<number | null>((ended) => child.on('close', ended));
    return { code, stdout };
  } finally {
    rmSync(runs, { recursive: true, force: true });
  }
}

/** What each program says, in this order. */
const programs: Readonly<Record<string, readonly RegExp[]>> = {
  'run-row.ts': [
    /^format_input …$/m,
    /^agent_1 Completed$/m,
    /^search Completed$/m,
    /^Completed \{/m,
    /privacy-agent-/,
  ],
  'run-dataset.ts': [
    /: 5 rows$/m,
    /^1 row \d+ Completed$/m,
    /^5 row \d+ Completed$/m,
    /^Completed: 5 completed, 0 failed/m,
  ],
  'reporter.ts': [/^slowest: (?!none)\w+$/m],
  'diff-runs.ts': [/same in 4 rows/, /^agent: 4 the same, 0 changed$/m, /^only before: 0$/m, /^only after: 5$/m],
  'typed-flow.ts': [/^RECEIVED: MAY WE\?$/m],
  'evaluate.ts': [/^96 rows$/m, /^first_function 0\.97\d* /m, /^agent_tokens /m],
};

/** Programs that go on until they are told to end, and those that others call: each has a test of its own. */
const others = ['web-app.ts', 'serverless-handler.ts', 'ask.test.ts'];

test.for(Object.entries(programs))('%s does what it says', { timeout: 120_000 }, async ([program, said]) => {
  const { code, stdout } = await run(program);
  expect(code).toBe(0);
  let from = 0;
  for (const text of said) {
    const at = stdout.slice(from).search(text);
    expect(at, `${text} in ${stdout}`).toBeGreaterThanOrEqual(0);
    from += at;
  }
});

test('each program has at most 20 lines, stands in docs/library.md as it is, and is run here', () => {
  const files = readdirSync(import.meta.dirname).filter(
    (name) => name.endsWith('.ts') && !['library.test.ts', 'ask.d.ts'].includes(name),
  );
  expect(files.sort()).toEqual([...Object.keys(programs), ...others].sort());
  for (const file of files) {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8');
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(20);
    expect(page, file).toContain(`\`\`\`ts\n${text}\`\`\``);
  }
});

test('the web app answers until it is told to end', { timeout: 120_000 }, async () => {
  const runs = mkdtempSync(join(tmpdir(), 'unroll-library-'));
  const child = spawn(process.execPath, [join(import.meta.dirname, 'web-app.ts')], {
    cwd: root,
    env: { ...process.env, FLOW_RUNS: runs, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((done) => child.on('close', done));
  const [told] = await once(child.stdout.setEncoding('utf8'), 'data');
  const ask = async (inputs: unknown): Promise<readonly [number, unknown]> => {
    const answer = await fetch(String(told).trim(), { method: 'POST', body: JSON.stringify(inputs) });
    return [answer.status, await answer.json()];
  };
  expect(await ask({ question: '同意は要りますか' })).toEqual([
    200,
    { answer: expect.stringContaining('同意は要りますか') },
  ]);
  expect(await ask({})).toEqual([400, { error: expect.stringContaining('question') }]);
  child.kill('SIGTERM');
  await ended;
  rmSync(runs, { recursive: true, force: true });
});

test('the serverless handler runs from one file, with the flow beside it, where nothing is installed', {
  timeout: 120_000,
}, async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'unroll-handler-')));
  const bundled = spawnSync(join(root, 'node_modules/.bin/esbuild'), [
    join(import.meta.dirname, 'serverless-handler.ts'),
    ...esbuildOptions(),
    `--outfile=${join(folder, 'handler.mjs')}`,
  ]);
  expect([bundled.status, String(bundled.stderr)]).toMatchObject([0, expect.not.stringContaining('[ERROR]')]);
  cpSync(join(import.meta.dirname, 'ask'), join(folder, 'ask'), { recursive: true });
  const call = `
    const { handler } = await import('./handler.mjs');
    const asked = (inputs) => handler({ body: JSON.stringify(inputs) });
    const refused = await asked({}).catch(({ message }) => message);
    console.log(JSON.stringify([await asked({ question: 'May we?' }), refused]));
  `;
  // Where the platform asks for spans, too.
  const env = {
    PATH: process.env['PATH'],
    LAMBDA_TASK_ROOT: folder,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
  };
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', call], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true, force: true });
  expect(JSON.parse(stdout || JSON.stringify(stderr))).toEqual([
    { statusCode: 200, body: expect.stringContaining('Received: May we?') },
    expect.stringContaining('question'),
  ]);
});

test('a program of one file marks a mistake behind an emoji, where nothing is installed', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'unroll-one-file-')));
  const program = `
    import { formatDiagnostics } from '@unroll/engine';
    const file = { path: 'f.yaml', text: '👩‍👩‍👧 x' };
    const span = { file, start: file.text.length - 1, end: file.text.length };
    console.log(formatDiagnostics([{ severity: 'error', code: 'FLOW_YAML', message: 'no', span }]));
  `;
  const outfile = join(folder, 'program.mjs');
  const bundled = spawnSync(
    join(root, 'node_modules/.bin/esbuild'),
    [...esbuildOptions(), '--loader=ts', `--outfile=${outfile}`],
    { input: program, cwd: import.meta.dirname },
  );
  expect([bundled.status, String(bundled.stderr)]).toMatchObject([0, expect.not.stringContaining('[ERROR]')]);
  // Without NODE_PATH, which pnpm sets to what is installed here.
  const environment = { PATH: process.env['PATH'] };
  const { stdout, stderr } = spawnSync(process.execPath, [outfile], {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true, force: true });
  expect(stdout || stderr).toContain('\n    👩‍👩‍👧 x\n       ~\n');
});
