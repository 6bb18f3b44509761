import { globSync, readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { ClosingLineReporter } from './tests/closing-line-reporter.ts';
import { LongestFirst } from './tests/longest-first.ts';
import { readyPython } from './tests/ready-python.ts';

/** No test and no hook takes so long; a busy machine may, where four files run on two cores. What programs keep of their user is not kept with the developer's, and they speak English to everyone. */
const limits = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
  env: {
    LC_ALL: 'C.UTF-8',
    XDG_STATE_HOME: join(tmpdir(), 'unroll-test-state'),
    PATH: readyPython(process.env['PATH'] ?? ''),
  },
};

// Types are stripped and code is compiled once for all processes of the tests, those of `flow` among them: where it keeps them anyway.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');

/** What changes nothing of its process: its files share one, since loading the code, or starting PostgreSQL, for each takes longer than many a test. */
const plainTests = [
  'packages/{engine,evals}/src/**/*.test.ts',
  'packages/nodes/src/!(code|observe|python|tool)/**/*.test.ts',
  'packages/nodes/src/{tool-catalogue,tool/!(table)}/**/*.test.ts',
  // The others of promptflow wait for Python, most of their time.
  'packages/promptflow/src/!(package-tools|recorded)/**/*.test.ts',
  'packages/project/src/!(library)/**/*.test.ts',
  'packages/cli/src/{bulk,diff,eval,text}/**/*.test.ts',
  'packages/{queue,server,studio}/src/**/*.test.ts',
  'tests/{architecture,cli,diagnostics,eval,flow-language,promptflow-support}-page.test.ts',
  'tests/{doc-links,documented-commands,stop-reasons,weak-maps,wrong-flows}.test.ts',
];

/** What installs the packages, which are packed once for them. */
const installedTests = ['tests/{packages,installed-equals-sources,installed-engine,built-flow}.test.ts'];

const elsewhere = new Set(globSync([...plainTests, ...installedTests]));

/** What starts processes, and leaves its own as it was. */
const startingTests = [
  'packages/cli/src/{command-line,workspace-address}.test.ts',
  'packages/cli/src/commands/{build,chat-process,completion,import-run-hostile,resumed-script}.test.ts',
  'packages/cli/src/commands/{run-dataset-model,run-process,since-parts,tools/serve}.test.ts',
  'packages/cli/src/commands/{unseen-told-ahead,unusable-files,unwritable-folders}.test.ts',
  'packages/nodes/src/{code-imports,functions,python/start-worker,tool-queries/ask-for-queries}.test.ts',
  'packages/nodes/src/{code/exotic-values,code/inspect-module,code/prepare-module-node,tool/table/mcp-process}.test.ts',
  'tests/{azure-search-identity,telemetry/trace-context,toolgen-tokens-page}.test.ts',
];

/**
 * The same of those that ask the command, built once, or wait for Python: what else starts a process itself, or sees what code
 * reads, has one of its own. One for all takes a fifth less of the processor than one for each (bench/README.md).
 */
const togetherTests = [
  ...globSync(startingTests),
  ...globSync([
    'packages/cli/src/{commands,runs,reporters,graph,dev}/**/*.test.ts',
    'packages/nodes/src/{python,tool/table}/**/*.test.ts',
    'packages/promptflow/src/{package-tools,recorded}/**/*.test.ts',
    'packages/project/src/library/**/*.test.ts',
    'flows/**/*.test.ts',
    'tests/!(cases)/**/*.test.ts',
    'tests/*.test.ts',
  ]).filter(
    (file) =>
      !/\/(observed|check-python)[^/]*$/.test(file) &&
      !elsewhere.has(file) &&
      !/startFlow|launchBrowser|spawn\(|execFile/.test(readFileSync(file, 'utf8')),
  ),
];

const buildFlow = 'packages/cli/src/testing/build-flow.ts';

/** `plain`, `together`, `unit` and `installed` hold everything beside the code; `cases` runs the machine-checkable cases of `$CASES_DIR` (default `cases/`). */
export default defineConfig({
  test: {
    // Many tests wait for processes that they start, and for what a clock decides: three at once left a fifth of two cores idle.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new ClosingLineReporter()],
    projects: [
      { test: { name: 'plain', ...limits, isolate: false, include: plainTests } },
      { test: { name: 'together', ...limits, isolate: false, globalSetup: [buildFlow], include: togetherTests } },
      {
        test: {
          name: 'unit',
          ...limits,
          globalSetup: [buildFlow],
          include: [
            'packages/*/src/**/*.test.ts',
            'packages/studio/build/*.test.ts',
            'flows/**/*.test.ts',
            'tests/*.test.ts',
            'tests/!(cases)/**/*.test.ts',
          ],
          exclude: [...configDefaults.exclude, ...plainTests, ...togetherTests, ...installedTests],
        },
      },
      {
        test: {
          name: 'installed',
          ...limits,
          globalSetup: ['tests/installed/pack-packages.ts'],
          include: installedTests,
        },
      },
      {
        test: {
          name: 'cases',
          ...limits,
          isolate: false,
          globalSetup: [buildFlow],
          include: ['tests/cases/*.test.ts'],
        },
      },
    ],
  },
});
