import { gzipSync } from 'node:zlib';
import { type JsonValue, parseJson } from '@unroll/engine';
import { events, json, type RawAnswer, startRawServer } from '@unroll/nodes/testing';
import { expect, test } from 'vitest';
import { type RandomSource, randomSource } from '../testing/random-source.ts';
import { createTestWorld, type TestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const rows = 200;
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const message = { role: 'assistant', content: 'yes' };
const good = { id: 'c', model: 'm', choices: [{ index: 0, finish_reason: 'stop', message }], usage };
const part = (delta: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const stream = [
  part({ role: 'assistant' }),
  part({ content: 'y' }),
  part({ content: 'es' }),
  part({}, 'stop'),
  '[DONE]',
];

function deep(levels: number): string {
  return `${'['.repeat(levels)}${']'.repeat(levels)}`;
}

/** JSON texts that stand where something else is due. */
const odd = ['null', '20.5', '1e300', '-1', '"20"', 'true', '{"a":1}', '[]', '""', deep(3000), '9007199254740993'];

/** Every place in a value, as the keys that lead there. */
function placesIn(value: unknown, way: readonly (string | number)[] = []): readonly (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [way];
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  return [
    way,
    ...[...keys].flatMap((key) => placesIn((value as Record<string | number, unknown>)[key], [...way, key])),
  ];
}

/** A text with one place of it replaced by another, or left out. */
function mutated(value: unknown, random: RandomSource): string {
  const places = placesIn(value).filter((way) => way.length > 0);
  const way = random.pick(places);
  const mark = '@@mark@@';
  const copy = structuredClone(value) as Record<string | number, unknown>;
  let inner = copy;
  for (const key of way.slice(0, -1)) inner = inner[key] as Record<string | number, unknown>;
  const last = way.at(-1) ?? '';
  if (random.chance(20) && !Array.isArray(inner)) delete inner[last];
  else inner[last] = mark;
  return JSON.stringify(copy).replace(`"${mark}"`, () => random.pick(odd));
}

/** What a hostile server answers. */
function hostile(random: RandomSource, isStream: boolean): RawAnswer {
  const kinds: readonly (() => RawAnswer)[] = [
    () => (isStream ? events(stream) : json(good)),
    () => {
      if (!isStream) return json(mutated(good, random));
      const at = random.below(4);
      return events(stream.map((one, index) => (index === at ? mutated(one, random) : one)));
    },
    () => (isStream ? json(good) : events(stream)),
    () =>
      isStream
        ? events(stream.slice(0, random.below(3)), random.chance(50))
        : json(JSON.stringify(good).slice(0, random.below(120))),
    () => cutAt(random),
    () => (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>gateway</p>'),
    () => (response) =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('garbage'),
    () => (response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(2e6))),
    () => (response) => response.socket?.destroy(),
    () => (response) => response.socket?.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'),
    () => (response) => response.writeHead(302, { location: 'https://elsewhere.example/' }).end(),
    () => (response) => response.writeHead(random.pick([200, 204])).end(),
    () => json({ error: random.pick<unknown>([{ message: 'overloaded', code: 'busy' }, 'no', { a: deep(5) }, 7]) }),
    () => json(random.pick(['<p>not found</p>', '{"error":null}', '[]', '']), random.pick([400, 404, 500, 503])),
    () => (response) => response.writeHead(429, { 'retry-after': '999999999' }).end('{}'),
    () => json(deep(20_000)),
  ];
  return random.pick(kinds)();
}

/** An answer whose connection ends after so many of its bytes. */
function cutAt(random: RandomSource): RawAnswer {
  const bytes = JSON.stringify(good);
  const at = random.below(bytes.length);
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
    response.write(bytes.slice(0, at), () => response.destroy());
  };
}

function writeFlow({ folder }: TestWorld, url: string, isStream: boolean): void {
  const connection = `{type: open_ai, api_key: sk-not-a-real-key, base_url: "${url}/v1", max_response_bytes: 1000000}`;
  writeFiles(folder, {
    'ask/flow.dag.yaml': `inputs: {q: {type: string}}
outputs: {a: {type: string, reference: "\${ask.output}"}}
nodes:
- name: ask
  type: llm
  source: {type: code, path: ask.jinja2}
  connection: mine
  api: chat
  retry: {times: 0, wait_seconds: 0.01}
  inputs: {model: gpt-4o-mini, q: "\${inputs.q}"${isStream ? ', stream: true' : ''}}
`,
    'ask/ask.jinja2': '# user:\n{{ q }}\n',
    'connections.yaml': `mine: ${connection}\n`,
    'q.jsonl': Array.from({ length: rows }, (_, row) => `${JSON.stringify({ q: `q${row}` })}\n`).join(''),
  });
}

interface Recorded {
  readonly status: string;
  readonly output: JsonValue;
  readonly error: { readonly code: string; readonly message: string; readonly service?: object } | null;
  readonly usage: Readonly<Record<string, number>> | null;
}

async function recordsOf(world: TestWorld): Promise<readonly Recorded[]> {
  const { stdout } = await world.flow('export', 'r', '--nodes', '--format', 'jsonl');
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseJson(line) as unknown as Recorded);
}

test.for<{ readonly isStream: boolean; readonly seed: number }>([
  { isStream: false, seed: 1 },
  { isStream: false, seed: 2 },
  { isStream: true, seed: 3 },
])(
  'a hostile service ends no run: every row is recorded, and the run goes on (stream: $isStream, $seed)',
  { timeout: 120_000 },
  async ({ isStream, seed }) => {
    const random = randomSource(seed);
    await using server = await startRawServer();
    using world = createTestWorld();
    writeFlow(world, server.url, isStream);
    server.answerWith(() => hostile(random, isStream));
    const first = await world.flow('run', 'ask', '--data', 'q.jsonl', '--name', 'r', '--concurrency', '8');
    expect(first.code).toBe(1);
    const told = `${first.stdout}${first.stderr}`;
    expect(told).not.toMatch(/NaN|undefined|\[object|TypeError|RangeError|bug:/);
    const records = await recordsOf(world);
    expect(records).toHaveLength(rows);
    for (const { status, output, error, usage: counted } of records) {
      if (status === 'Completed') {
        expect(error).toBeNull();
        if (counted !== null) expect(Object.values(counted).every((count) => Number.isSafeInteger(count))).toBe(true);
        expect(typeof output === 'string' || output === null).toBe(true);
        continue;
      }
      expect(status).toBe('Failed');
      expect(error?.code).toMatch(/^[A-Z]\w+$/);
      expect(error?.message).not.toMatch(/undefined|NaN|\[object|Cannot read prop/);
      expect(error?.service).toBeDefined();
    }
    expect((await world.flow('run', '--resume', 'r')).code).toBe(1);
    server.answerWith(() => (isStream ? events(stream) : json(good)));
    const again = await world.flow('run', '--retry-failed', 'r');
    expect([again.code, again.stderr]).toEqual([0, expect.anything()]);
    const after = await recordsOf(world);
    expect(after).toHaveLength(rows);
    expect(after.every(({ status }) => status === 'Completed')).toBe(true);
    const shown = await world.flow('show', 'r');
    expect(`${again.stdout}${again.stderr}${shown.stdout}`).not.toMatch(/NaN|undefined/);
  },
);
