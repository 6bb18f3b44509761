import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ModelResult, Redactor } from '@unroll/engine';
import { expect, test } from 'vitest';
import type { Notice } from '../host/notice.ts';
import type { ProjectHost } from '../host/project-host.ts';
import type { CassetteSettings } from './flow-settings.ts';
import { type OpenedCassette, openCassette } from './open-cassette.ts';

const connection = { name: 'mine', type: 'open_ai', configs: {}, secrets: {} };

/** A folder, and a model that numbers its answers from first to last. */
function world(question = 'question') {
  const folder = mkdtempSync(join(tmpdir(), 'cassette-'));
  const notices: Notice[] = [];
  let calls = 0;
  const open = async () => ({
    async call(): Promise<ModelResult> {
      calls += 1;
      return { ok: true, reply: { body: { role: 'assistant', content: `answer ${calls}` } } };
    },
  });
  const host: ProjectHost = {
    folder,
    environment: {},
    redactor: new Redactor(),
    runsFolder: join(folder, '.flow/runs'),
    now: () => 0,
    steadyNow: () => 0,
    randomText: () => 'abcd',
    async *stdin() {},
    report: (event) => {
      if (event.type === 'notice') notices.push(event.notice);
    },
  };
  const begin = (settings: CassetteSettings): OpenedCassette => openCassette(settings, { since: false }, host);
  const ask = async ({ cassette }: OpenedCassette, lines: readonly number[]): Promise<void> => {
    const service = await cassette.serviceOpener(open)(connection);
    for (const line of lines) {
      const request = { model: 'm', messages: [{ role: 'user', content: `${question} ${line}` }] };
      const caller = { node: 'ask', line, repeat: 0 };
      await service?.call('chat', request, { signal: new AbortController().signal, caller });
    }
  };
  const onTape = (): readonly string[] =>
    [...readFileSync(join(folder, 'tape.yaml'), 'utf8').matchAll(/content: (.*)/g)].map(([, text = '']) => text);
  return {
    folder,
    notices,
    begin,
    ask,
    onTape,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const rows = (...numbers: readonly number[]): readonly string[] =>
  numbers.flatMap((number, index) => [`question ${index}`, `answer ${number}`]);

/** A run that asks for rows 2 and 0, is killed or ends in order, and goes on with row 1. */
test.for<[CassetteSettings & { record: string }, 'killed' | 'ended', readonly string[]]>([
  [{ record: 'tape.yaml' }, 'killed', rows(2, 3, 1)],
  [{ record: 'tape.yaml' }, 'ended', [...rows(2), 'question 2', 'answer 1', 'question 1', 'answer 3']],
  [{ record: 'tape.yaml', recordMode: 'all' }, 'killed', rows(2, 3, 1)],
  [
    { record: 'tape.yaml', recordMode: 'all' },
    'ended',
    [...rows(2), 'question 2', 'answer 1', 'question 1', 'answer 3'],
  ],
])('%j, %s and resumed: no call is lost, none is told as not asked for', async ([settings, end, expected]) => {
  using one = world();
  const first = one.begin(settings);
  await one.ask(first, [2, 0]);
  if (end === 'ended') await first.finish();
  const second = one.begin({ ...settings, isResumed: true });
  await one.ask(second, [1]);
  await second.finish();
  expect(one.onTape()).toEqual(expected);
  expect(one.notices.at(-1)).toMatchObject({ kind: 'cassette', drift: { unused: [], missed: [] } });
  expect(existsSync(join(one.folder, 'tape.yaml.part'))).toBe(false);
});

test('--record-mode all begun again asks for what a killed run had recorded', async () => {
  using one = world();
  await one.ask(one.begin({ record: 'tape.yaml', recordMode: 'all' }), [0]);
  const again = one.begin({ record: 'tape.yaml', recordMode: 'all' });
  await one.ask(again, [0]);
  await again.finish();
  expect(one.onTape()).toEqual(['question 0', 'answer 2']);
});

test('a run that is killed once its cassette is written leaves no call on it twice', async () => {
  using one = world();
  const first = one.begin({ record: 'tape.yaml' });
  await one.ask(first, [0]);
  const left = readFileSync(join(one.folder, 'tape.yaml.part'));
  await first.finish();
  writeFileSync(join(one.folder, 'tape.yaml.part'), left);
  const second = one.begin({ record: 'tape.yaml' });
  await one.ask(second, [0, 1]);
  await second.finish();
  expect(one.onTape()).toEqual(rows(1, 2));
  expect(one.notices.at(-1)).toMatchObject({ drift: { used: 1, added: 1, unused: [] } });
});

test('half a call at the end of what a killed run left is passed over, wherever it was cut', async () => {
  using one = world('質問');
  await one.ask(one.begin({ record: 'tape.yaml' }), [0]);
  const part = join(one.folder, 'tape.yaml.part');
  const whole = readFileSync(part);
  for (let length = 1; length < whole.length - 1; length += 1) {
    writeFileSync(part, Buffer.concat([whole, whole.subarray(0, length)]));
    const next = one.begin({ record: 'tape.yaml' });
    await one.ask(next, [0]);
    expect(next.cassette.drift()).toMatchObject({ used: 1, added: 1 });
  }
  const last = one.begin({ record: 'tape.yaml' });
  await one.ask(last, [1]);
  await last.finish();
  expect(one.onTape()).toEqual(['質問 0', 'answer 1', '質問 1', 'answer 2']);
});

test('what is no journal is told with the way out', async () => {
  using one = world();
  writeFileSync(join(one.folder, 'tape.yaml.part'), Buffer.from([0xff, 0xfe, 0x00]));
  expect(() => one.begin({ record: 'tape.yaml' })).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('tape.yaml.part cannot be read'),
      help: expect.stringContaining('Move it away'),
    }),
  );
});

test('a run that ends puts what others recorded meanwhile on the cassette too', async () => {
  using one = world();
  const [first, second] = [one.begin({ record: 'tape.yaml' }), one.begin({ record: 'tape.yaml' })];
  await one.ask(second, [1]);
  await one.ask(first, [0]);
  await first.finish();
  expect(one.onTape().toSorted()).toEqual(['answer 1', 'answer 2', 'question 0', 'question 1']);
  await second.finish();
  expect(one.onTape()).toHaveLength(4);
});

test('a replay tells of calls that are not on the cassette yet', async () => {
  using one = world();
  const first = one.begin({ record: 'tape.yaml' });
  await one.ask(first, [0]);
  await first.finish();
  await one.ask(one.begin({ record: 'tape.yaml' }), [1]);
  one.begin({ replay: 'tape.yaml' });
  expect(one.notices.at(-1)).toMatchObject({ kind: 'warning', message: expect.stringMatching(/^tape\.yaml\.part/) });
});

test('where calls cannot be kept as they are made it is told once', async () => {
  using one = world();
  const first = one.begin({ record: 'tape.yaml' });
  rmSync(one.folder, { recursive: true });
  await one.ask(first, [0, 1]);
  expect(one.notices).toMatchObject([
    { kind: 'warning', message: expect.stringMatching(/tape\.yaml\.part cannot be written/) },
  ]);
  await expect(first.finish()).rejects.toMatchObject({
    kind: 'failed',
    help: expect.stringContaining('tape.yaml.part'),
  });
});

test('nothing is recorded on a device, which is told as one', () => {
  using tried = world();
  const refused = 'the cassette /dev/full cannot be written: it is a device, not a file';
  expect(() => tried.begin({ record: '/dev/full' })).toThrow(refused);
});
