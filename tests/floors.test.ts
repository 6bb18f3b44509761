import { expect, test } from 'vitest';
import { brokenFloors } from './house/floors.ts';
import { type ImportedFrom, importsOf, readImports } from './house/read-imports.ts';

const root = new URL('..', import.meta.url).pathname;

test('every import of the project keeps to ARCHITECTURE.md', { timeout: 240_000 }, () => {
  const sources = readImports(root, ['packages', 'flows', 'bench', 'tests']);
  expect(sources.length).toBeGreaterThan(100);
  expect(brokenFloors(sources)).toEqual([]);
});

const engine = 'packages/engine/src';

test.for([
  {
    file: `${engine}/plan/a.ts`,
    from: '../run/run-flow.ts',
    broken: 'plan/ may not import run/ (../run/run-flow.ts)',
  },
  { file: `${engine}/flow/a.ts`, from: '../node/b.ts', broken: 'flow/ may not import node/ (../node/b.ts)' },
  { file: `${engine}/record/a.ts`, from: '../plan/plan.ts', broken: 'record/ may not import plan/ (../plan/plan.ts)' },
  { file: `${engine}/value/a.ts`, from: '../source/b.ts', broken: 'value/ may not import source/ (../source/b.ts)' },
  { file: `${engine}/run/a.ts`, from: './b.fixture.ts', broken: './b.fixture.ts is for tests' },
  { file: `${engine}/run/a.ts`, from: '../testing/b.ts', broken: 'run/ may not import testing/ (../testing/b.ts)' },
  {
    file: 'packages/nodes/src/code/a.ts',
    from: '../python/b.ts',
    broken: 'code/ may not import python/ (../python/b.ts)',
  },
  {
    file: 'packages/project/src/host/a.ts',
    from: '../records/b.ts',
    broken: 'host/ may not import records/ (../records/b.ts)',
  },
  { file: 'packages/project/src/room/a.ts', from: 'zod', broken: 'the project has no room room/' },
  {
    file: 'packages/nodes/src/a.ts',
    from: '@unroll/project',
    broken: 'nodes may not import @unroll/project',
  },
  {
    file: 'packages/nodes/src/a.ts',
    from: '@unroll/promptflow',
    broken: 'nodes may not import @unroll/promptflow',
  },
  { file: `${engine}/run/a.ts`, from: '@unroll/promptflow', broken: 'engine may not import @unroll/promptflow' },
  {
    file: 'packages/promptflow/src/connections/a.ts',
    from: '@unroll/project',
    broken: 'promptflow may not import @unroll/project',
  },
  {
    file: 'packages/studio/src/parts/a.tsx',
    from: '@unroll/project',
    broken: 'the page knows JSON only, it imports types of @unroll/project',
  },
  {
    file: 'packages/studio/src/parts/a.tsx',
    from: '../pages/b.tsx',
    broken: 'parts/ may not import pages/ (../pages/b.tsx)',
  },
  { file: `${engine}/queue/a.ts`, from: 'zod', broken: 'the engine has no room queue/' },
  {
    file: `${engine}/run/a.ts`,
    from: '../../../nodes/src/index.ts',
    broken: 'import another package by its name, not ../../../nodes/src/index.ts',
  },
  { file: `${engine}/run/a.ts`, from: '@unroll/nodes', broken: 'engine may not import @unroll/nodes' },
  { file: 'packages/nodes/src/a.ts', from: '@unroll/evals', broken: 'nodes may not import @unroll/evals' },
  { file: 'packages/nodes/src/a.ts', from: '@unroll/cli', broken: 'nodes may not import @unroll/cli' },
  { file: 'flows/a/search.ts', from: '@unroll/cli', broken: 'nobody imports @unroll/cli' },
  { file: 'packages/cli/src/a.ts', from: '@unroll/engine/testing', broken: '@unroll/engine/testing is for tests' },
  { file: 'packages/evals/src/a.ts', from: '@unroll/engine', broken: 'evals never runs a flow (openFlow)' },
  { file: 'packages/cli/src/a.ts', from: 'yaml', broken: 'the only door to yaml is packages/engine/src/flow/' },
  {
    file: `${engine}/plan/a.ts`,
    from: 'nunjucks/src/parser.js',
    broken: 'the only door to nunjucks is packages/engine/src/template/',
  },
  {
    file: 'packages/nodes/src/llm/a.ts',
    from: '@azure/identity',
    broken: 'the only door to @azure/identity is packages/nodes/src/openai/',
  },
  { file: `${engine}/run/a.ts`, from: 'lodash', broken: 'lodash has no door yet' },
  { file: `${engine}/plan/a.ts`, from: 'node:fs', broken: 'plan/ is pure, it may not import node:fs' },
  {
    file: `${engine}/run/a.ts`,
    from: 'node:http',
    broken: 'the engine has no network and no terminal (node:http)',
  },
])('refused: $file imports $from', ({ file, from, broken }) => {
  const imports: readonly ImportedFrom[] = [{ from, names: ['openFlow'] }];
  expect(brokenFloors([{ file, imports }])).toEqual([`${file}: ${broken}`]);
});

test.for([
  ['eval-file', '../score-run/b.ts', 'eval-file/ may not import score-run/ (../score-run/b.ts)'],
  ['room', 'zod', 'the evals has no room room/'],
] as const)('refused: %s of evals imports %s', ([room, from, broken]) => {
  const file = `packages/evals/src/${room}/a.ts`;
  expect(brokenFloors([{ file, imports: [{ from, names: [] }] }])).toEqual([`${file}: ${broken}`]);
});

test.each([
  ["import { z } from 'zod';", 1],
  ["import type { z } from 'zod';", 1],
  ["import * as z from 'zod';", 0],
])('%s is refused so many times: %i', (text, times) => {
  expect(brokenFloors([{ file: `${engine}/run/a.ts`, imports: importsOf(text) }])).toHaveLength(times);
});

test.for([
  [`${engine}/plan/a.ts`, '../flow/b.ts'],
  [`${engine}/plan/a.ts`, './b.ts'],
  [`${engine}/plan/a.ts`, 'graphology'],
  [`${engine}/plan/a.test.ts`, '../run/b.ts'],
  [`${engine}/index.ts`, './run/run-flow.ts'],
  [`${engine}/run/a.ts`, 'node:fs'],
  ['packages/nodes/src/a.ts', '@unroll/engine/template'],
  ['packages/cli/src/compose.ts', '@unroll/nodes/lookup'],
  ['packages/evals/src/a.ts', 'zod'],
] as const)('allowed: %s imports %s', ([file, from]) => {
  expect(brokenFloors([{ file, imports: [{ from, names: ['parseJson'] }] }])).toEqual([]);
});

test('a ring of imports is refused, with its way round', () => {
  const at = (name: string, from: string) => ({ file: `${engine}/run/${name}.ts`, imports: [{ from, names: [] }] });
  expect(brokenFloors([at('a', './b.ts'), at('b', './c.ts'), at('c', './b.ts')])).toEqual([
    `import cycle: ${engine}/run/b.ts -> ${engine}/run/c.ts -> ${engine}/run/b.ts`,
  ]);
});

test('a ring of types alone is refused too', () => {
  const at = (name: string, from: string) => ({
    file: `packages/cli/src/text/${name}.ts`,
    imports: [{ from, names: [], isType: true as const }],
  });
  expect(brokenFloors([at('a', './b.ts'), at('b', './a.ts')])).toEqual([
    'import cycle: packages/cli/src/text/a.ts -> packages/cli/src/text/b.ts -> packages/cli/src/text/a.ts',
  ]);
});

test('two folders of which each imports from the other are refused, in a package without floors too', () => {
  const at = (file: string, from: string) => ({ file: `packages/cli/src/${file}`, imports: [{ from, names: [] }] });
  const broken = [at('text/a.ts', '../runs/b.ts'), at('runs/c.ts', '../text/d.ts')];
  expect(brokenFloors(broken)).toEqual([
    'packages/cli/src/runs and packages/cli/src/text import each other: packages/cli/src/runs/c.ts imports ../text/d.ts; packages/cli/src/text/a.ts imports ../runs/b.ts',
  ]);
  expect(brokenFloors([at('text/a.ts', '../runs/b.ts'), at('runs/c.test.ts', '../text/d.ts')])).toEqual([]);
});

test('imports are found however they are written', () => {
  const text = `import type { A } from './a.ts';
import { b, type C, d as e } from 'b';
import {
  long,
  longer,
} from '../c.ts';
import * as whole from 'whole';
export { f } from './f.ts';
import './effect.ts';
const later = await import('openai');
const notOne = "from 'x'";
`;
  expect(importsOf(text)).toEqual([
    { from: './a.ts', names: ['A'], isType: true },
    { from: 'b', names: ['b', 'C', 'd'] },
    { from: '../c.ts', names: ['long', 'longer'] },
    { from: 'whole', names: [] },
    { from: './f.ts', names: ['f'] },
    { from: './effect.ts', names: [] },
    { from: 'openai', names: [], isLazy: true },
  ]);
});
