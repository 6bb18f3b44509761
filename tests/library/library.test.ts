import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

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
  'evaluate.ts': [/^96 rows$/m, /^first_function 0\.97\d* /m, /^agent_tokens /m],
};

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
  const files = readdirSync(import.meta.dirname).filter((name) => !name.endsWith('.test.ts'));
  expect(files.sort()).toEqual(Object.keys(programs).sort());
  for (const file of files) {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8');
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(20);
    expect(page, file).toContain(`\`\`\`ts\n${text}\`\`\``);
  }
});
