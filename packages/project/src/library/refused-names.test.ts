import { expect, test } from 'vitest';
import { ProjectFailure } from '../host/project-failure.ts';
import { openProject } from './open-project.ts';
import type { Project } from './project.ts';

test.for<readonly [string, (of: Project) => unknown, string]>([
  ['flow', (of) => of.check(null as never), 'a flow is named by a text, not by null'],
  ['no flow', (of) => of.runRow('', { n: 1 }).result, 'a flow is named by a text, not by an empty one'],
  [
    'node',
    (of) => of.runNode('double', { node: 1 as never, inputs: {} }).result,
    'a node is named by a text, not by a number',
  ],
  ['run', (of) => of.runs.open({} as never), 'a run is named by a text, not by an object'],
  ['run to go on', (of) => of.resume(5 as never).result, 'a run is named by a text, not by a number'],
  ['run to try again', (of) => of.retryFailed(null as never).result, 'a run is named by a text, not by null'],
  ['run to check', (of) => of.runs.check([] as never), 'a run is named by a text, not by a list'],
  [
    'asked node',
    (of) => of.runNode('double', null as never).result,
    'the node that is asked must be an object, not null',
  ],
  ['build settings', (of) => of.indexes.build('a.index', ['b'], null as never).result, 'settings cannot be read'],
  ['update settings', (of) => of.indexes.update('a.index', [], 5 as never).result, 'settings cannot be read'],
  ['signal', (of) => of.indexes.update('a.index', [], { signal: 5 as never }).result, 'signal: must be AbortSignal'],
  ['no run', (of) => of.why(''), 'a run is named by a text, not by an empty one'],
  ['evaluation', (of) => of.evaluate([] as never).result, 'an evaluation is named by a text, not by a list'],
  ['dataset', (of) => of.datasets.open(''), 'a dataset is named by a text, not by an empty one'],
  ['data', (of) => of.runDataset('double', { data: '' }).result, 'data: must not be empty'],
  ['connection', (of) => of.connections.describe(7 as never), 'a connection is named by a text, not by a number'],
  ['fields', (of) => of.connections.create('a', undefined as never), 'must be an object, as in a connections file'],
  ...[' ', '../x', 'a\n', 'b\u0000c', '\ud800', 'x'.repeat(81)].map(
    (name) =>
      [
        `connection ${JSON.stringify(name)}`,
        (of: Project) => of.connections.create(name, { type: 'open_ai', api_key: 'k' }),
        'is no name of a connection: it ',
      ] as const,
  ),
  ['index', (of) => of.indexes.describe(null as never), 'an index is named by a text, not by null'],
  ['paths', (of) => of.indexes.build('a.index', 'docs' as never).result, 'are given as a list of texts'],
  ['check', (of) => of.check('a', { variants: 'b' } as never), 'unknown key "variants"'],
  ['list', (of) => of.runs.list({ limit: -1 }), 'limit: must be at least 0, not -1'],
  ['surplus', (of) => of.runs.surplus({ count: -1 }), 'count: must be at least 0, not -1'],
  ['import', (of) => of.runs.import(''), 'the folder of a run is named by a text, not by an empty one'],
  ['why', (of) => of.why('latest', { row: 1 as never }), 'row: must be a text, not 1'],
  [
    'export',
    (of) => Array.fromAsync(of.export('latest', { format: 'xlsx' as never })),
    'format: must be one of jsonl, csv, parquet',
  ],
  ['query', (of) => of.indexes.query('a.index', 'b', { topK: 0 }), 'topK: must be at least 1, not 0'],
  ['build', (of) => of.indexes.build('a.index', ['b'], { chunk: 4 } as never).result, 'unknown key "chunk"'],
  ['project', () => openProject(undefined as never), 'the folder of a project is named by a text, not by undefined'],
  ['key', () => openProject('.', { runFolder: 'x' } as never), 'unknown key "runFolder"'],
  ['reporter', () => openProject('.', { reporter: 1 as never }), 'reporter: must be a function'],
])('what no type holds is refused with what it should be: %s', async ([, run, message]) => {
  const refused = async (): Promise<unknown> => await run(openProject(import.meta.dirname));
  await expect(refused()).rejects.toThrow(ProjectFailure);
  await expect(refused()).rejects.toThrow(message);
});
