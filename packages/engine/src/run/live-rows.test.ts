// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { expect, test } from 'vitest';
import type { JsonValue } from '../value/json.ts';
import { RemoteValue } from '../value/remote-value.ts';
import { madeFlow } from './made-flow.fixture.ts';
import type { RunEvent } from './run-flow.ts';

/** An object that lives elsewhere: its attributes are asked for one path at a time. */
class Remote extends RemoteValue {
  readonly isStream = false;
  toJSON = (): string => '<object>';
  give = async (): Promise<never> => Promise.reject(new Error('bug: an object is no stream'));
  taken = async (): Promise<JsonValue> => this.toJSON();
  async read(path: string) {
    if (path === 'gone') return { ok: false, error: { type: 'AttributeError', message: 'no gone' } } as const;
    if (path === 'broken') return { ok: false, error: { type: 'ValueError', message: 'unlucky' } } as const;
    return { ok: true, value: `read ${path}` as JsonValue } as const;
  }
}

/** A stream of two pieces. */
class Pieces extends RemoteValue {
  readonly isStream = true;
  private readonly left = ['one ', 'two'];
  toJSON = (): string => '<stream>';
  read = async (): Promise<never> => Promise.reject(new Error('bug: nobody reads in a stream'));
  async give(onText?: (text: string) => void) {
    const rest = this.left.splice(0);
    for (const piece of rest) onText?.(piece);
    return { ok: true, value: rest.join('') } as const;
  }
  taken = async (): Promise<JsonValue> => ['one ', 'two'];
}

const asValue = (value: RemoteValue): JsonValue => value as unknown as JsonValue;

test('what nodes, conditions and outputs read in a value that lives elsewhere is asked for before they start', async () => {
  const remote = new Remote();
  const nodes = [
    'name: a, type: pure',
    'name: b, type: pure, inputs: {x: "${a.output.name}", y: "${a.output.list[0]}", z: "${a.output.k.deep}"}',
    'name: c, type: pure, activate: {when: "${a.output.name}", is: other}',
    'name: d, type: pure, activate: {when: "${a.output.name}", is: read name}',
  ];
  await using flow = await madeFlow(nodes, { a: { output: () => asValue(remote) } });
  const { row, nodes: records } = await flow.runRow({});
  expect(row.error).toBeUndefined();
  expect(records[1]?.inputs).toEqual({ x: 'read name', y: 'read list.[0]', z: 'read k.deep' });
  expect(records.slice(1).map(({ status }) => status)).toEqual(['Completed', 'Bypassed', 'Completed']);
  expect(row.outputs).toEqual({ o: 'd' });
});

test.for([
  ['gone', 'InvalidReferenceProperty', ['UserError', 'NodeReferenceError', 'InvalidReferenceProperty']],
  ['broken', 'ValueError', ['SystemError', 'ValueError']],
] as const)('what cannot be read in it fails the row with the node that asked: %s', async ([path, code, codes]) => {
  const nodes = ['name: a, type: pure', `name: b, type: pure, inputs: {x: "\${a.output.${path}}"}`];
  await using flow = await madeFlow(nodes, { a: { output: () => asValue(new Remote()) } });
  expect((await flow.runRow({})).row).toMatchObject({ status: 'Failed', error: { node: 'b', code, codes } });
});

test('a stream that is an output is joined, told piece by piece where that is asked for, and recorded once it has ended', async () => {
  const events: RunEvent[] = [];
  await using flow = await madeFlow(['name: a, type: pure'], { a: { output: () => asValue(new Pieces()) } });
  const onEvent = (event: RunEvent): void => void events.push(event);
  const { row } = await flow.runRow({}, { line: 2, onEvent, streaming: { nodes: 'answers', tokens: false } });
  expect(row.outputs).toEqual({ o: 'one two' });
  expect(events.filter(({ type }) => type === 'text')).toEqual([
    { type: 'text', line: 2, node: 'a', text: 'one ', output: 'o' },
    { type: 'text', line: 2, node: 'a', text: 'two', output: 'o' },
  ]);
  const ended = events.flatMap((event) => (event.type === 'node-ended' ? [event.run] : []));
  expect(ended).toMatchObject([{ line: 2, node: 'a', status: 'Completed', output: ['one ', 'two'] }]);
});
