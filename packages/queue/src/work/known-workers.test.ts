import { expect, test } from 'vitest';
import { freshEngine } from '../testing/fresh-engine.ts';
import { listWorkers } from './known-workers.ts';

const none = { works: {}, doing: {}, lacks: {} };
const sound = { works: { r: 1 }, doing: { r: { nodes: { a: 1 }, connections: ['c'] } }, lacks: { s: 'no key' } };

const cases = [
  {
    works: '{"r": 1}',
    doing: '{"r": {"nodes": {"a": 1}, "connections": ["c"]}}',
    lacks: '{"s": "no key"}',
    told: sound,
  },
  { works: '7', doing: '"x"', lacks: 'null', told: none },
  { works: '{"r": 1e300}', doing: '{"r": null}', lacks: '{"s": 7}', told: none },
  { works: '{"r": -1}', doing: '{"r": {"nodes": 7, "connections": []}}', lacks: '{"s": {}}', told: none },
  { works: '{"r": "many"}', doing: '{"r": {"nodes": {}, "connections": "x"}}', lacks: '[]', told: none },
];

test('of what workers tell what can be read is told', async () => {
  await using engine = await freshEngine();
  for (const [at, { works, doing, lacks }] of cases.entries()) {
    await engine.database.query(
      `INSERT INTO unroll.worker (id, name, host, process, version, concurrency, works, doing, lacks)
       VALUES (gen_random_uuid(), $1, 'h', 1, '1', 1, $2, $3, $4)`,
      [`w${at}`, works, doing, lacks],
    );
  }
  const listed = await listWorkers(engine.database);
  expect(listed.map(({ works, doing, lacks }) => ({ works, doing, lacks }))).toEqual(cases.map(({ told }) => told));
});
