import { expect, test } from 'vitest';
import type { NodeRun } from '../record/node-run.ts';
import type { JsonValue } from '../value/json.ts';
import { PythonDate } from '../value/python-date.ts';
import { RemoteValue } from '../value/remote-value.ts';
import { finishLive } from './finish-live.ts';

/** A stream in this process, as a worker keeps one. */
class Items extends RemoteValue {
  readonly isStream = true;
  readonly given: string[] = [];
  readonly left: string[];
  constructor(...items: readonly string[]) {
    super();
    this.left = [...items];
  }
  toJSON = (): string => '<items>';
  read = async (): Promise<never> => Promise.reject(new Error('bug: nobody reads in a stream'));
  async give(): Promise<{ readonly ok: true; readonly value: string }> {
    const rest = this.left.splice(0);
    this.given.push(...rest);
    return { ok: true, value: rest.join('') };
  }
  taken = async (): Promise<JsonValue> => [...this.given];
}

function asValue(value: RemoteValue): JsonValue {
  return value as unknown as JsonValue;
}

test('a stream is joined for the output that asks first, and its record holds the items', async () => {
  const items = asValue(new Items('a', 'b'));
  const record: NodeRun = { line: 0, node: 'g', kind: 'python', status: 'Completed', output: items };
  const { run, late } = await finishLive({ runs: [record], outputs: { o: items, p: items }, canceled: false });
  expect(run.outputs).toEqual({ o: 'ab', p: '' });
  expect(run.runs).toEqual([{ ...record, output: ['a', 'b'], inexact: 'copied' }]);
  expect(late).toEqual([{ id: 0, run: { ...record, output: ['a', 'b'], inexact: 'copied' } }]);
});

test('an output that is no JSON fails the row, at any depth; what would have been given is kept as it prints', async () => {
  const outputs = { fine: 1, o: { deep: [asValue(new PythonDate('2024-01-02'))] } };
  const { run } = await finishLive({ runs: [], outputs, canceled: false });
  expect(run.outputs).toEqual({ fine: 1, o: { deep: ['2024-01-02'] } });
  expect(run.error).toMatchObject({
    code: 'FlowOutputUnserializable',
    message:
      "The output 'o' for flow is incorrect. The output value is not JSON serializable. JSON dump failed: (TypeError) Object of type date is not JSON serializable. Please verify your flow output and make sure the value serializable.",
  });
});

test('a stream that broke off fails the row in the words of its own world; to run the row again may not help', async () => {
  class Broken extends Items {
    override give = async (): Promise<never> =>
      ({ ok: false, error: { type: 'ValueError', message: 'no more' } }) as never;
  }
  const { run } = await finishLive({ runs: [], outputs: { o: asValue(new Broken()), p: 1 }, canceled: false });
  expect(run).toEqual({
    runs: [],
    outputs: {},
    canceled: false,
    error: { code: 'ValueError', message: 'no more', retryable: false },
  });
});
