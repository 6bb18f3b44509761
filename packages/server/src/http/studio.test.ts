import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, openSync, readFileSync, rmSync, symlinkSync, writeSync } from 'node:fs';
import { request } from 'node:http';
import { basename, join } from 'node:path';
import {
  errorAnswer,
  type LiveEvent,
  liveEvent,
  type RowPage,
  type RowsPage,
  type RunPage,
  rowPage,
  rowsPage,
  runPage,
  runsPage,
  type Session,
  session,
} from '@unroll/project/studio-contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as z from 'zod';
import { type ViewedWorld, viewFolder } from '../testing/viewed-world.ts';

let world: ViewedWorld;
beforeAll(async () => {
  world = await viewFolder();
  await world.run('first');
});
afterAll(() => world[Symbol.asyncDispose]());

test.for<[string, z.ZodType]>([
  ['session', session],
  ['runs', runsPage],
  ['runs?filter=needs-look&limit=1', runsPage],
  ['runs/first', runPage],
  ['runs/first?evaluation=none', runPage],
  ['runs/first/rows', rowsPage],
  ['runs/first/rows?sort=-ms&limit=2', rowsPage],
  ['runs/first/rows/0/0', rowPage],
  ['runs/first/rows/1/0', rowPage],
])('%s is answered as the contract says', async ([path, schema]) => {
  const answer = await world.ask(path);
  expect(answer.headers.get('content-type')).toContain('application/json');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(schema.safeParse(await answer.json()).error).toBeUndefined();
  expect(answer.status).toBe(200);
});

async function get<Page>(path: string): Promise<Page> {
  return (await (await world.ask(path)).json()) as Page;
}

test.for<[string, Record<string, string>, RegExp]>([
  ['runs/first', {}, /^The gate fails/],
  ['runs/first', { 'accept-language': 'ja,en;q=0.5' }, /^基準を満たしていません。/],
  ['runs/first', { 'accept-language': 'fr, de;q=0.9' }, /^The gate fails/],
  ['runs/first?language=ja', { 'accept-language': 'en' }, /^基準を満たしていません。/],
  ['runs/first?language=xx', {}, /^The gate fails/],
  ['runs/first/rows/1/0?language=ja', {}, /^halve で失敗しました：ToolExecutionError: .*no half of 3。/],
  ['runs?language=ja', {}, /^直近 1 件中 1 件は確認が必要です（/],
])('%s accepting %j says %s', async ([path, headers, says]) => {
  const page = (await (await world.ask(path, { headers })).json()) as RunPage;
  expect(told(page.verdict)).toMatch(says);
});

test('a session names the folder that is shown', async () => {
  expect(await get<Session>('session')).toMatchObject({ folder: basename(world.folder), isExport: false });
});

const told = ({ answer, details }: RunPage['verdict']): string =>
  [...answer, ...details].flatMap(({ parts }) => parts.map(({ text }) => text)).join('');

test('a run says what failed, where, and what its evaluation holds of it', async () => {
  const page = await get<RunPage>('runs/first');
  expect(told(page.verdict)).toBe(
    'The gate fails. 1 row failed at halve: RangeError: no half of 3. 2 of 4 rows went wrong first at outputs.half.half (two). ',
  );
  expect(page.evaluation).toBe('halve/eval.yaml');
  expect(page.unfolded.nodes.find(({ label }) => label === 'halve')?.counts).toMatchObject({ Completed: 3, Failed: 1 });
  expect(page.pending).toEqual([]);
});

const filtered = (filter: object): string => `runs/first/rows?filter=${encodeURIComponent(JSON.stringify(filter))}`;

test.for<[object, readonly number[]]>([
  [{ by: 'status', is: 'Failed' }, [1]],
  [{ by: 'node', node: 'halve', is: 'Completed' }, [0, 2, 3]],
  [{ by: 'text', is: 'ABC' }, [1]],
  [{ by: 'text', is: '個人情報' }, [2]],
  [{ by: 'score', metric: 'two', is: 'pass' }, [2]],
  [{ by: 'score', metric: 'two', is: 'fail' }, [0, 3]],
  [{ by: 'first-bad', node: 'halve' }, [1]],
])('rows by %j', async ([filter, lines]) => {
  const page = await get<RowsPage>(filtered(filter));
  expect(page.rows.map(({ line }) => line)).toEqual(lines);
  expect([page.paging.total, page.all]).toEqual([lines.length, 4]);
});

test('pages of rows follow each other, by cursor and by offset', async () => {
  const first = await get<RowsPage>('runs/first/rows?limit=3');
  expect(first.rows.map(({ line }) => line)).toEqual([0, 1, 2]);
  const rest = await get<RowsPage>(`runs/first/rows?limit=3&cursor=${first.paging.next}`);
  expect([rest.rows.map(({ line }) => line), rest.paging.next]).toEqual([[3], null]);
  expect((await get<RowsPage>('runs/first/rows?offset=2&limit=1')).rows.map(({ line }) => line)).toEqual([2]);
});

test('markup in values goes out as text in JSON, and what is long is cut until it is asked for', async () => {
  const markup = await get<RowPage>('runs/first/rows/0/0');
  expect(markup.outputs.text).toContain('<script>alert(1)</script>');
  const long = await get<RowPage>('runs/first/rows/3/0');
  expect(long.inputs).toMatchObject({ isCut: true, ref: 'row.inputs' });
  const whole = await get<RowPage['inputs']>('runs/first/rows/3/0/values/row.inputs');
  expect([whole.isCut, whole.text.length]).toEqual([false, long.inputs.size]);
});

test.for<[string, string, number, string]>([
  ['an unknown run', 'runs/second', 404, 'RunNotFound'],
  ['a run that leads out of the folder', 'runs/..%2F..%2Fsecret', 404, 'RunNotFound'],
  ['a run with a zero byte', 'runs/first%00', 404, 'RunNotFound'],
  ['an unknown row', 'runs/first/rows/99/0', 404, 'RowNotFound'],
  ['a row that is no number', 'runs/first/rows/-1/0', 400, 'BadQuery'],
  ['an unknown value', 'runs/first/rows/0/0/values/halve.secrets', 404, 'ValueNotFound'],
  ['a huge page', 'runs/first/rows?limit=501', 400, 'BadQuery'],
  ['an empty page', 'runs/first/rows?limit=0', 400, 'BadQuery'],
  ['an unknown sort', 'runs/first/rows?sort=constructor', 400, 'BadQuery'],
  ['a filter that is no JSON', 'runs/first/rows?filter=x', 400, 'BadQuery'],
  ['a filter of no kind', 'runs/first/rows?filter=%7B%22by%22%3A%22magic%22%7D', 400, 'BadQuery'],
  ['a cursor that was not given', 'runs?cursor=x', 400, 'BadQuery'],
  ['an unknown key', 'runs?fliter=all', 400, 'BadQuery'],
  ['an unknown run to compare with', 'runs/first/rows/0/0?against=none-such', 404, 'RunNotFound'],
  ['an unknown route', 'secrets', 404, 'NoSuchRoute'],
])('%s: %s is refused', async ([, path, status, code]) => {
  const answer = await world.ask(path);
  const body = (await answer.json()) as z.infer<typeof errorAnswer>;
  expect(errorAnswer.safeParse(body).error).toBeUndefined();
  expect([answer.status, body.error.code]).toEqual([status, code]);
  expect(JSON.stringify(body)).not.toContain(world.folder);
});

test.for<[string, string, Readonly<Record<string, string>>, number]>([
  ['no token', '/api/studio/v1/runs', {}, 401],
  ['no token for the page', '/', {}, 401],
  ['another token', '/api/studio/v1/runs', { authorization: 'Bearer another' }, 401],
  ['another token in the address', '/?token=another', {}, 401],
  ['a token as cookie of another port', '/', { cookie: 'unroll_studio_1=TOKEN' }, 401],
  ['another host', '/api/studio/v1/runs', { authorization: 'Bearer TOKEN', host: 'evil.example' }, 403],
  [
    'a write from another page',
    '/api/studio/v1/runs',
    { authorization: 'Bearer TOKEN', origin: 'https://evil.example' },
    403,
  ],
])('with %s %s is refused', async ([, path, headers, status]) => {
  const { url, token } = world.server;
  const method = 'origin' in headers ? 'POST' : 'GET';
  const given = Object.entries(headers).map(([name, value]) => [name, value.replace('TOKEN', token)] as const);
  // fetch sends no Host of ours.
  const answer = await new Promise<number | undefined>((resolve, reject) => {
    const asked = request(`${url}${path}`, { method, headers: Object.fromEntries(given) }, ({ statusCode }) =>
      resolve(statusCode),
    );
    asked.on('error', reject);
    asked.end();
  });
  expect(answer).toBe(status);
});

test('the token of the address becomes a cookie that scripts cannot read, and leaves the address', async () => {
  const { url, token } = world.server;
  const answer = await fetch(`${url}//evil.example/runs/first?sort=-ms&token=${token}`, { redirect: 'manual' });
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toBe('/evil.example/runs/first?sort=-ms');
  const cookie = answer.headers.get('set-cookie') ?? '';
  expect(cookie).toContain('HttpOnly');
  expect(cookie).toContain('SameSite=Strict');
  const [pair = ''] = cookie.split(';');
  expect((await fetch(`${url}/api/studio/v1/session`, { headers: { cookie: pair } })).status).toBe(200);
});

test.for<[string, number, string]>([
  ['', 200, 'text/html; charset=utf-8'],
  ['runs/first/rows/0/0', 200, 'text/html; charset=utf-8'],
  ['assets/page-1a2b.js', 200, 'text/javascript; charset=utf-8'],
  ['assets/other.js', 404, 'text/plain; charset=utf-8'],
  ['assets/..%2F..%2Fsecret.txt', 404, 'text/plain; charset=utf-8'],
  ['..%2Fsecret.txt', 200, 'text/html; charset=utf-8'],
])('the page /%s: %i', async ([path, status, type]) => {
  const { url, token } = world.server;
  const answer = await fetch(`${url}/${path}`, { headers: { authorization: `Bearer ${token}` } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([status, type]);
  expect(await answer.text()).not.toContain('not for the page');
  if (status === 200) expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
});

test('a studio that is read only changes nothing', async () => {
  await using viewed = await viewFolder({ isReadOnly: true });
  const body = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
  const answer = await viewed.ask('runs', body);
  expect([answer.status, await answer.json()]).toMatchObject([403, { error: { code: 'ReadOnly' } }]);
});

test('a run that is removed while it is shown is told so; one that is damaged too, and is listed with the reason', async () => {
  await using viewed = await viewFolder();
  await viewed.run('gone');
  await viewed.run('torn');
  expect((await viewed.ask('runs/gone')).status).toBe(200);
  for (const suffix of ['', '-wal', '-shm', '.lock'])
    rmSync(join(viewed.folder, `runs/gone.run${suffix}`), { force: true });
  const gone = await viewed.ask('runs/gone');
  expect([gone.status, await gone.json()]).toMatchObject([410, { error: { code: 'RunRemoved' } }]);
  const file = join(viewed.folder, 'runs/torn.run');
  const size = readFileSync(file).length;
  writeSync(openSync(file, 'r+'), Buffer.alloc(size, 7), 0, size, 0);
  appendFileSync(file, 'x');
  const torn = await viewed.ask('runs/torn');
  const problem = expect.stringMatching(/(^| )runs\/torn\.run /);
  expect([torn.status, await torn.json()]).toMatchObject([422, { error: { code: 'RunDamaged', message: problem } }]);
  const listed = (await (await viewed.ask('runs')).json()) as z.infer<typeof runsPage>;
  expect(listed.runs).toMatchObject([{ id: 'torn', status: 'Unreadable', needsLook: true, problem }]);
});

test('who listens hears of a run that begins and is removed', async () => {
  await using viewed = await viewFolder();
  const stop = new AbortController();
  const events = eventsOf(await viewed.ask('events', { signal: stop.signal }));
  const heard = async (isIt: (event: LiveEvent) => boolean): Promise<LiveEvent> => {
    for (;;) {
      const { value, done } = await events.next();
      if (done === true) throw new Error('the stream ended');
      if (isIt(value)) return value;
    }
  };
  await viewed.run('live');
  const ended = await heard((event) => event.type === 'run' && event.run.status !== 'Running');
  expect(ended).toMatchObject({ run: { id: 'live', rows: { value: 4 }, failed: { value: 1 } } });
  await viewed.project.runs.remove('live');
  expect(await heard(({ type }) => type === 'removed')).toEqual({ type: 'removed', run: 'live' });
  stop.abort();
});

/** What a stream tells, each event held to the contract. */
async function* eventsOf({ body }: Response): AsyncGenerator<LiveEvent, void> {
  let text = '';
  for await (const chunk of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) if (part.startsWith('data: ')) yield liveEvent.parse(JSON.parse(part.slice(6)));
  }
}

test('whatever has the name of an evaluation keeps nobody from a run; one that there is not is told', async () => {
  await using world = await viewFolder();
  await world.run('first');
  mkdirSync(join(world.folder, 'odd/eval.yaml'), { recursive: true });
  symlinkSync('nowhere', join(world.folder, 'dangling.eval.yaml'));
  execFileSync('mkfifo', [join(world.folder, 'pipe.eval.yaml')]);
  expect((await world.ask('runs/first')).status).toBe(200);
  const { evaluations } = (await (await world.ask('evaluations')).json()) as {
    readonly evaluations: readonly { readonly path: string; readonly mistakes: readonly string[] }[];
  };
  expect(evaluations.find(({ path }) => path === 'pipe.eval.yaml')?.mistakes).toEqual([
    'pipe.eval.yaml cannot be read: it is no file',
  ]);
  const none = await world.ask('runs/first/rows?evaluation=..%2F..%2Fetc');
  expect([none.status, await none.json()]).toEqual([
    404,
    { error: { code: 'EvalNotFound', message: 'there is no evaluation ../../etc of run first' } },
  ]);
  expect(await (await world.ask('labels?run=none')).json()).toMatchObject({
    error: { code: 'NothingToLabel', message: 'there is no evaluation with a run to label' },
  });
});
