// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { expect, test } from 'vitest';
import type { NodeRun } from '../record/node-run.ts';
import type { JsonObject } from '../value/json.ts';
import { type Behaviours, madeFlow, madeRun, writtenFlow } from './made-flow.fixture.ts';

const fails: Behaviours[string] = { run: () => ({ ok: false, error: { code: 'E', message: 'no', retryable: false } }) };

/** `node:outcome`, with `?` where something of it is not known. */
async function told(nodes: readonly string[], behaviours: Behaviours = {}, given: JsonObject = {}): Promise<string> {
  await using flow = await madeFlow(nodes, behaviours);
  const forecasts = await flow.forecastRow(given, { line: 0 });
  return forecasts.map(({ node, outcome, isKnown }) => `${node}:${outcome}${isKnown ? '' : '?'}`).join(', ');
}

test.for<[what: string, nodes: readonly string[], told: string, behaviours?: Behaviours]>([
  [
    'what only computes is run to know what comes after it',
    [
      'name: a, type: pure',
      'name: b, type: pure, inputs: {a: "${a.output}"}',
      'name: c, type: model, inputs: {b: "${b.output}"}',
    ],
    'a:computed, b:computed, c:runs',
  ],
  [
    'what comes after a model is not known',
    [
      'name: a, type: model',
      'name: b, type: pure, inputs: {a: "${a.output}"}',
      'name: c, type: model, inputs: {b: "${b.output}"}',
    ],
    'a:runs, b:runs?, c:runs?',
  ],
  ['code that may write is not run', ['name: a, type: python'], 'a:runs'],
  ['what fails while it is computed is told to run', ['name: a, type: pure'], 'a:runs', { a: fails }],
  [
    'a condition that does not hold bypasses, and what reads only that is bypassed too',
    [
      'name: a, type: pure',
      'name: b, type: model, activate: {when: "${a.output}", is: other}',
      'name: c, type: model, inputs: {b: "${b.output}"}',
      'name: d, type: model, inputs: {b: "${b.output}", a: "${a.output}"}',
    ],
    'a:computed, b:bypassed, c:bypassed, d:runs',
  ],
  [
    'a condition that holds',
    ['name: a, type: pure', 'name: b, type: model, activate: {when: "${a.output}", is: a}'],
    'a:computed, b:runs',
  ],
  [
    'a condition on an input of the flow',
    [
      'name: a, type: model, activate: {when: "${inputs.q}", is: x}',
      'name: b, type: model, activate: {when: "${inputs.q}", is: y}',
    ],
    'a:runs, b:bypassed',
  ],
  [
    'a condition on what a model says decides later, and so does it for what follows',
    [
      'name: a, type: model',
      'name: b, type: model, activate: {when: "${a.output}", is: a}',
      'name: c, type: model, inputs: {b: "${b.output}"}',
      'name: d, type: model, inputs: {b: "${b.output}", a: "${a.output}"}',
      'name: e, type: model, inputs: {q: "${inputs.q}"}',
    ],
    'a:runs, b:may run, c:may run?, d:runs?, e:runs',
  ],
  [
    'a condition on what was bypassed',
    [
      'name: a, type: model, activate: {when: "${inputs.q}", is: y}',
      'name: b, type: model, activate: {when: "${a.output}", is: a}',
    ],
    'a:bypassed, b:bypassed',
  ],
  [
    'a condition on a property that is not there',
    ['name: a, type: pure', 'name: b, type: model, activate: {when: "${a.output.x}", is: 1}'],
    'a:computed, b:may run',
    { a: { output: { y: 1 } } },
  ],
  [
    'a node over all rows is left out',
    [
      'name: a, type: pure',
      'name: all, type: python, aggregation: true, inputs: {a: "${a.output}"}',
      'name: b, type: pure',
    ],
    'a:computed, b:computed',
  ],
])('%s', async ([, nodes, expected, behaviours]) => {
  expect(await told(nodes, behaviours)).toBe(expected);
});

test('inputs that do not fit forecast nothing', async () => {
  await using flow = await writtenFlow(
    'inputs: {n: {type: int}}\nnodes:\n- {name: a, type: pure, source: {path: x.ts}}\n',
  );
  expect(await flow.forecastRow({ n: 'no number' }, { line: 0 })).toEqual([]);
  expect(await flow.forecastRow({ n: '12' }, { line: 0 })).toHaveLength(1);
});

test('what would be sent: the inputs, as the node takes them; what is not known is an empty text', async () => {
  const nodes = [
    'name: a, type: pure',
    'name: m, type: model',
    'name: skipped, type: model, activate: {when: "${inputs.q}", is: y}',
    'name: b, type: model, inputs: {p: "${a.output.p[1]}", m: "${m.output}", q: "${inputs.q}", n: 3, none: "${skipped.output}", own: "${skipped.output}"}',
    'name: c, type: model, inputs: {dropped: 1, kept: 2, a: "${a.output}"}',
  ];
  const behaviours: Behaviours = {
    a: { output: { p: ['zero', 'one'] } },
    b: { parametersWithDefault: new Set(['own']) },
    c: { literals: { kept: 'two' } },
  };
  await using flow = await madeFlow(nodes, behaviours);
  const sends = Object.fromEntries(
    (await flow.forecastRow({ q: 'hello' }, { line: 0 })).map(({ node, sends }) => [node, sends]),
  );
  expect(sends).toEqual({
    a: undefined,
    m: {},
    skipped: undefined,
    b: { p: 'one', m: '', q: 'hello', n: 3, none: null },
    c: { kept: 'two', a: { p: ['zero', 'one'] } },
  });
});

test('what would be sent, as it is rendered; the call knows the row', async () => {
  const seen: unknown[] = [];
  const behaviours: Behaviours = {
    a: {
      run: () => ({ ok: true, output: 'said', beside: { by: 'a' } }),
    },
    b: {
      rendered: (inputs, { node, line, repeat, flowInputs, row }) => {
        seen.push({ node, line, repeat, flowInputs });
        seen.push(row?.handed('a'), row?.handed('m'), row?.handed('nobody'), row?.workedSince('a' as never));
        return `rendered ${inputs['a']}`;
      },
    },
    c: { rendered: () => undefined },
  };
  const nodes = [
    'name: a, type: pure',
    'name: m, type: model',
    'name: b, type: model, inputs: {a: "${a.output}"}',
    'name: c, type: model',
  ];
  await using flow = await madeFlow(nodes, behaviours);
  const [, , b, c] = await flow.forecastRow({ q: 'hello' }, { line: 4, repeat: 2 });
  expect(b).toEqual({ node: 'b', outcome: 'runs', isKnown: true, sends: 'rendered said' });
  expect(c).toStrictEqual({ node: 'c', outcome: 'runs', isKnown: true });
  expect(seen).toEqual([
    { node: 'b', line: 4, repeat: 2, flowInputs: { q: 'hello' } },
    { output: 'said', beside: { by: 'a' } },
    undefined,
    undefined,
    0,
  ]);
});

test('an output of the earlier run is taken, and what it leads to is followed', async () => {
  const nodes = ['name: m, type: model', 'name: b, type: model, inputs: {m: "${m.output.x}"}'];
  const records: NodeRun[] = [];
  {
    await using flow = await madeFlow(nodes, { m: { output: { x: 'from before' } } }, { fingerprints: true });
    records.push(...(await flow.runRow({ q: 'x' })).nodes.slice(0, 1));
  }
  await using flow = await madeFlow(nodes, {}, { since: madeRun(records) });
  expect(await flow.forecastRow({ q: 'x' }, { line: 0 })).toEqual([
    { node: 'm', outcome: 'taken', isKnown: true },
    { node: 'b', outcome: 'runs', isKnown: true, sends: { m: 'from before' } },
  ]);
});

test('a node whose output no later run may take is told to run, though the earlier run made the same', async () => {
  const nodesWith = (cache: string): readonly string[] => [`name: m, type: model${cache}`, 'name: b, type: model'];
  const forecastOf = async (cache: string): Promise<unknown> => {
    const records: NodeRun[] = [];
    {
      await using flow = await madeFlow(nodesWith(cache), {}, { fingerprints: true });
      records.push(...(await flow.runRow({ q: 'x' })).nodes);
    }
    await using flow = await madeFlow(nodesWith(cache), {}, { since: madeRun(records) });
    return (await flow.forecastRow({ q: 'x' }, { line: 0 })).map(({ outcome }) => outcome);
  };
  expect(await forecastOf('')).toEqual(['taken', 'taken']);
  expect(await forecastOf(', cache: false')).toEqual(['runs', 'taken']);
});

test('the first iteration of a loop is held to run, later ones may run', async () => {
  const one = 'type: model, source: {type: code, path: x.ts}';
  await using flow = await writtenFlow(`outputs: {o: {type: string, reference: "\${search.output.status}"}}
nodes:
  - {name: begin, ${one}}
loops:
  - name: search
    times: 2
    state: "\${begin.output}"
    nodes:
      - {name: agent, ${one}, inputs: {state: "\${loop.state}"}}
      - {name: function, ${one}, inputs: {state: "\${loop.state}", message: "\${agent.output}"}}
`);
  const forecasts = await flow.forecastRow({}, { line: 0 });
  expect(forecasts.map(({ node, outcome }) => `${node}:${outcome}`)).toEqual([
    'begin:runs',
    'agent_1:runs',
    'function_1:runs',
    'agent_2:may run',
    'function_2:runs',
    'search:runs',
  ]);
});
