// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { expect, test } from 'vitest';
import type { NodeCall, NodeOutcome } from '../node/node-type.ts';
import type { NodeRun } from '../record/node-run.ts';
import { Redactor } from '../secrets/redactor.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { type Behaviours, madeFlow, writtenFlow } from './made-flow.fixture.ts';
import { redactedRow, redactedRun } from './redacted-run.ts';
import type { NodeEvent } from './run-event.ts';

const secret = 'hunter2-hunter2-hunter2';
function knowing(): Redactor {
  const redactor = new Redactor();
  redactor.learn(secret);
  return redactor;
}
const shown = knowing().text(secret);
const record: NodeRun = {
  line: 1,
  repeat: 2,
  node: 'n',
  kind: 'llm',
  status: 'Completed',
  startedAt: 5,
  durationMs: 6,
  fingerprint: 'f',
  cache: 'miss',
  usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 },
};

test('a secret is shown otherwise', () => {
  expect(shown).not.toContain('hunter2');
});

test('a record without a secret is the same object', () => {
  const whole: NodeRun = { ...record, inputs: { a: 'b' }, output: ['c', 'd'], logs: { stdout: 'e', stderr: '' } };
  expect(redactedRun(whole, knowing())).toBe(whole);
  expect(redactedRun(whole, new Redactor())).toBe(whole);
});

test('what says which record it is stays, whatever the secrets are', () => {
  const redactor = new Redactor();
  redactor.learn('n-n-n-n-n-n');
  const named: NodeRun = { ...record, node: 'n-n-n-n-n-n' };
  expect(redactedRun(named, redactor)).toBe(named);
});

const told = { redacted: ['output'], notKept: 'it holds a secret', inexact: 'redacted' } as const;

test.for<[what: string, held: Partial<NodeRun>, told: Partial<NodeRun>, fingerprint: boolean]>([
  ['its output', { output: { a: [secret] } }, { output: { a: [shown] }, ...told }, false],
  [
    'its inputs, which nothing goes on from',
    { inputs: { q: secret }, output: 1 },
    { inputs: { q: shown }, output: 1, redacted: ['inputs'], notKept: 'it holds a secret' },
    false,
  ],
  [
    'both, and why it was not kept before',
    { inputs: { q: secret }, output: secret, notKept: 'its output is no JSON' },
    {
      inputs: { q: shown },
      output: shown,
      redacted: ['inputs', 'output'],
      notKept: 'its output is no JSON',
      inexact: 'redacted',
    },
    false,
  ],
  ['two pieces of a stream', { output: [secret.slice(0, 9), secret.slice(9)] }, { output: [shown], ...told }, false],
  [
    'what code printed, which changes nothing of the record',
    { logs: { stdout: secret, stderr: '' } },
    { logs: { stdout: shown, stderr: '' } },
    true,
  ],
])('a secret in %s', ([, held, expected, keepsFingerprint]) => {
  const { fingerprint, ...rest } = record;
  const run = { ...record, ...held } as NodeRun;
  expect(redactedRun(run, knowing())).toStrictEqual({
    ...(keepsFingerprint ? { ...rest, fingerprint } : rest),
    ...expected,
  });
});

test('a list of other things than texts is not joined', () => {
  const run: NodeRun = { ...record, output: [secret.slice(0, 9), 1, secret.slice(9)] };
  expect(redactedRun(run, knowing())).toBe(run);
});

test('a secret in a failure and in attempts: their codes stay, what has none is the same', () => {
  const error = { code: secret, message: `no: ${secret}`, retryable: true };
  const fine = { code: 'E', message: 'no', retryable: true };
  const attempts = [{ error: fine }, { error }, {}] as unknown as NonNullable<NodeRun['attempts']>;
  const run = redactedRun({ ...record, status: 'Failed', error, attempts }, knowing());
  expect(run.error).toEqual({ code: secret, message: `no: ${shown}`, retryable: true });
  expect(run.attempts?.[0]).toBe(attempts[0]);
  expect(run.attempts?.[1]?.error?.message).toBe(`no: ${shown}`);
  expect(run.fingerprint).toBe('f');
  const clean = { ...record, attempts: [{ error: fine }] } as unknown as NodeRun;
  expect(redactedRun(clean, knowing())).toBe(clean);
});

test.for<[what: string, held: object, told: object]>([
  ['inputs', { inputs: { q: secret } }, { inputs: { q: shown } }],
  ['outputs', { outputs: { o: secret } }, { outputs: { o: shown } }],
  [
    'its error',
    { status: 'Failed', error: { code: 'E', message: secret, retryable: true } },
    { status: 'Failed', error: { code: 'E', message: shown, retryable: true } },
  ],
])('a row with a secret in %s', ([, held, expected]) => {
  const row = { line: 0, status: 'Completed' as const, inputs: {}, outputs: {}, startedAt: 1, durationMs: 2 };
  expect(redactedRow(row, knowing())).toBe(row);
  expect(redactedRow({ ...row, ...held }, knowing())).toStrictEqual({ ...row, ...expected });
});

test('nodes hand on what they have; what the flow tells holds no secret, each record is redacted once', async () => {
  const seen: JsonValue[] = [];
  const behaviours: Behaviours = {
    a: { output: secret },
    b: { output: ({ a = null }) => ({ said: a, times: seen.push(a) }) },
  };
  const nodes = ['name: a, type: model', 'name: b, type: model, inputs: {a: "${a.output}"}'];
  await using flow = await madeFlow(nodes, behaviours, { redactor: knowing() });
  const events: NodeEvent[] = [];
  const { row, nodes: records } = await flow.runRow({ q: secret }, { onEvent: (event) => events.push(event) });
  expect(seen).toEqual([secret]);
  expect(JSON.stringify([row, records, events])).not.toContain(secret);
  expect(row.outputs).toEqual({ o: { said: shown, times: 1 } });
  const ended = events.flatMap((event) => (event.type === 'node-ended' ? [event.run] : []));
  expect(ended).toHaveLength(2);
  for (const [at, run] of ended.entries()) expect(run).toBe(records[at]);
  const alone = await flow.runNode('b', { a: secret });
  expect(alone.output).toEqual({ said: shown, times: 2 });
});

test('an input of type secret is learned', async () => {
  const text =
    'inputs: {k: {type: secret}, n: {type: object}}\noutputs: {o: {reference: "${a.output}"}}\nnodes:\n- {name: a, type: model, source: {path: x.ts}, inputs: {k: "${inputs.k}", n: "${inputs.n}"}}\n';
  await using flow = await writtenFlow(text, { a: { output: ({ k = null }) => [k, 'other'] } });
  const { row } = await flow.runRow({ k: secret, n: {} });
  expect(row.inputs).toEqual({ k: shown, n: {} });
  expect(row.outputs).toEqual({ o: [shown, 'other'] });
});

test('of a stream no piece tells a secret, and what was held back comes at its end', async () => {
  const says = (_: unknown, call: NodeCall): NodeOutcome => {
    for (const piece of ['Here: ', secret.slice(0, 5), secret.slice(5, 12), `${secret.slice(12)} and hunt`])
      call.onText?.(piece);
    return { ok: true, output: 'done' };
  };
  await using flow = await madeFlow(['name: a, type: model'], { a: { run: says } }, { redactor: knowing() });
  const events: NodeEvent[] = [];
  await flow.runRow({}, { onEvent: (event) => events.push(event), streaming: { nodes: 'all', tokens: false } });
  const texts = events.flatMap((event) => (event.type === 'text' ? [event.text] : []));
  expect(texts.join('')).toBe(`Here: ${shown} and hunt`);
  expect(texts.every((text) => text !== '')).toBe(true);
  expect(events.at(-1)?.type).toBe('node-ended');
});

test('metrics over all rows hold no secret', async () => {
  const nodes = [
    'name: a, type: model',
    'name: all, type: model, aggregation: true, inputs: {a: "${a.output}"}',
    'name: z, type: pure',
  ];
  const run = (): NodeOutcome => ({
    ok: true,
    output: secret,
    report: { metrics: { m: secret as JsonValue } } as never,
  });
  await using flow = await madeFlow(nodes, { all: { run } }, { redactor: knowing() });
  const over = await flow.runAggregation([await flow.runRow({})]);
  expect(over.metrics).toEqual({ m: shown });
  expect(over.nodes[0]?.output).toBe(shown);
});

const keyedFlow =
  'inputs: {k: {type: secret}, q: {type: string, default: x}}\noutputs: {o: {reference: "${a.output}"}}\nnodes:\n' +
  '- {name: a, type: model, source: {path: x.ts}, inputs: {k: "${inputs.k}", q: "${inputs.q}"}}\n';

test('a secret input of one row is no secret in another', async () => {
  await using flow = await writtenFlow(keyedFlow, { a: { output: ({ q = null }) => q } });
  const first = await flow.runRow({ k: secret, q: `mine: ${secret}` }, { line: 0 });
  const second = await flow.runRow({ k: 'other-key-0123456789', q: `theirs: ${secret}` }, { line: 1 });
  expect(first.row.outputs).toEqual({ o: `mine: ${shown}` });
  expect(second.row.outputs).toEqual({ o: `theirs: ${secret}` });
  expect(second.nodes[0]?.output).toBe(`theirs: ${secret}`);
  expect(flow.redactor.isEmpty).toBe(true);
});

test('rows side by side each hide their own secret, in events too', async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const run = async (inputs: JsonObject, call: NodeCall): Promise<NodeOutcome> => {
    call.onText?.(`${inputs['q']}`.slice(0, 12));
    gates[call.line]?.resolve();
    await gates[1 - call.line]?.promise;
    call.onText?.(`${inputs['q']}`.slice(12));
    return { ok: true, output: inputs['q'] ?? null };
  };
  await using flow = await writtenFlow(keyedFlow, { a: { run } });
  const keys = ['first-secret-0001', 'second-secret-0002'] as const;
  const texts = ['', ''];
  const rows = await Promise.all(
    [0, 1].map((line) =>
      flow.runRow(
        { k: keys[line] as string, q: keys.join(' ') },
        {
          line,
          onEvent: (event) => {
            if (event.type === 'text') texts[line] += event.text;
          },
          streaming: { nodes: 'all', tokens: false },
        },
      ),
    ),
  );
  const expected = [`*** ${keys[1]}`, `${keys[0]} ***`];
  expect(rows.map(({ row }) => row.outputs['o'])).toEqual(expected);
  expect(texts).toEqual(expected);
});

test('a call that fails and is made again is told without the secret of its row', async () => {
  const run = async (_inputs: JsonObject, { onCallFailed }: NodeCall): Promise<NodeOutcome> => {
    onCallFailed?.({ code: 'E', message: `refused: ${secret}`, retryable: true }, 1_000);
    return { ok: true, output: 'x' };
  };
  await using flow = await writtenFlow(keyedFlow, { a: { run } });
  const failed: unknown[] = [];
  const onEvent = (event: NodeEvent): void => void (event.type === 'call-failed' && failed.push(event));
  await flow.runRow({ k: secret }, { line: 3, onEvent });
  const error = { code: 'E', message: `refused: ${shown}`, retryable: true };
  expect(failed).toEqual([{ type: 'call-failed', line: 3, node: 'a', error, waitMs: 1_000 }]);
});

test('what fails in a row is told to the nodes after it without the secret of that row alone', async () => {
  const text = `${keyedFlow}- {name: b, type: model, source: {path: x.ts}, inputs: {a: "\${a.output}"}}\n`;
  const error = { code: 'E', message: `refused: ${secret}`, retryable: false };
  await using flow = await writtenFlow(text, { a: { run: () => ({ ok: false, error }) } });
  const told = [await flow.runRow({ k: secret }), await flow.runRow({ k: 'another-0123456789' })];
  expect(told.map(({ row }) => row.error?.message)).toEqual([`refused: ${shown}`, `refused: ${secret}`]);
});

test.for<[what: string, given: JsonValue, recorded: JsonValue]>([
  ['a short text', 'abc', shown],
  ['a text of digits', '1234', shown],
  ['a word that stands for no key', 'none', shown],
  ['texts in a list', [secret, 7], shown],
  ['a number', 42, shown],
  ['nothing', '', ''],
  ['null', null, null],
])('an input of type secret is recorded nowhere under its name: %s', async ([, given, recorded]) => {
  await using flow = await writtenFlow(keyedFlow, { a: { output: 'done' } });
  const { row, nodes } = await flow.runRow({ k: given });
  expect(row.inputs['k']).toEqual(recorded);
  expect(nodes[0]?.inputs?.['k']).toEqual(recorded);
  const alone = await flow.runNode('a', { k: given, q: `with ${secret}` });
  expect(alone.inputs?.['k']).toEqual(recorded);
});

test('nodes over all rows get each row without its own secret, and no other row’s words are touched', async () => {
  const text = `${keyedFlow}- {name: all, type: model, aggregation: true, source: {path: x.ts}, inputs: {said: "\${a.output}", keys: "\${inputs.k}"}}\n`;
  await using flow = await writtenFlow(text, {
    a: { output: ({ q = null }) => q },
    all: { output: (inputs) => inputs },
  });
  const words = `${secret} and other-key-0123456789`;
  const rows = [
    await flow.runRow({ k: secret, q: words }, { line: 0 }),
    await flow.runRow({ k: 'other-key-0123456789', q: words }, { line: 1 }),
  ];
  const { nodes } = await flow.runAggregation(rows);
  expect(nodes[0]?.output).toEqual({
    said: [`${shown} and other-key-0123456789`, `${secret} and ${shown}`],
    keys: [shown, shown],
  });
});

test('a row that goes on hides its secret as one that runs through', async () => {
  const text = `${keyedFlow.replace('${a.output}', '${b.output}')}- {name: b, type: model, source: {path: x.ts}, inputs: {a: "\${a.output}", q: "\${inputs.q}"}}\n`;
  await using flow = await writtenFlow(text, { a: { output: 'plain' }, b: { output: ({ q = null }) => q } });
  const inputs = { k: secret, q: `with ${secret}` };
  const whole = await flow.runRow(inputs);
  const finished = new Map([['a', whole.nodes[0] as NodeRun]]);
  const resumed = await flow.runRow(inputs, { finished });
  expect(resumed.row.outputs).toEqual({ o: `with ${shown}` });
  expect(JSON.stringify(resumed)).not.toContain(secret);
});
