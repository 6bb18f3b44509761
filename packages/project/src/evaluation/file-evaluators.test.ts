import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redactor } from '@unroll/engine';
import { expect, test } from 'vitest';
import { compose } from '../connections/compose.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { fileEvaluators } from './file-evaluators.ts';

test.for([
  ['own.ts', 'await new Promise(() => {});\nexport default () => 1;\n'],
  ['own.ts', 'for (;;);\nexport default () => 1;\n'],
  ['own.py', 'import time\ntime.sleep(100)\ndef own(value):\n    return 1\n'],
] as const)(
  'an evaluator whose loading does not end is waited for no longer than told: %s %s',
  async ([name, text]) => {
    const folder = mkdtempSync(join(tmpdir(), 'unroll-evaluators-'));
    const host: ProjectHost = {
      ...{ folder, environment: {}, redactor: new Redactor(), runsFolder: join(folder, 'runs') },
      ...{
        now: Date.now,
        steadyNow: Date.now,
        randomText: () => 'aaaa',
        stdin: async function* () {},
        report: () => undefined,
      },
    };
    writeFileSync(join(folder, name), text);
    await using files = fileEvaluators(folder, compose(host, folder), folder, () => undefined);
    files.find(name);
    await expect(files.load(0.05)).rejects.toThrow(`the evaluator ${name} was not loaded within 0.05 s`);
    rmSync(folder, { recursive: true, force: true });
  },
);
