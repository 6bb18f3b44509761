import { parseJson } from '@unroll/engine';
import { expect, test } from 'vitest';
import { createTestWorld } from '../packages/cli/src/testing/test-io.ts';
import { writeFiles } from '../packages/cli/src/testing/write-files.ts';

const tool = 'from promptflow.core import tool\n@tool\n';

/** A flow of one Python node `n` whose output is that of the flow. */
function oneNode(code: string, inputs = '{}', more = ''): Readonly<Record<string, string>> {
  return {
    'f/flow.dag.yaml': `${more}outputs:\n  o: {type: string, reference: '\${n.output}'}\nnodes:\n- {name: n, type: python, source: {type: code, path: n.py}, inputs: ${inputs}}\n`,
    'f/n.py': `from promptflow.core import tool\n${code}`,
  };
}

const keys =
  'typed:\n  type: custom\n  configs: {url: here, promptflow.connection.custom_type: Keys, promptflow.connection.module: n}\n  secrets: {key: k-1}\n';

test.for([
  {
    what: 'a flow by its file',
    files: oneNode('@tool\ndef n(): return 1\n'),
    argv: ['run', 'f/flow.dag.yaml'],
    outputs: { o: 1 },
  },
  {
    what: 'a flow in a file of another name',
    files: { 'f/other.yaml': oneNode('')['f/flow.dag.yaml'] ?? '', 'f/n.py': `${tool}def n(): return 2\n` },
    argv: ['run', 'f/other.yaml'],
    outputs: { o: 2 },
  },
  {
    what: 'a parameter that is an enum takes its value as a text',
    files: oneNode(
      'from enum import Enum\nclass Size(str, Enum):\n    BIG = "big"\n@tool\ndef n(size: Size): return [size, size == Size.BIG]\n',
      '{size: big}',
    ),
    argv: ['run', 'f'],
    outputs: { o: ['big', true] },
  },
  {
    what: "a connection of the user's own class",
    files: {
      ...oneNode(
        'from promptflow.connections import CustomStrongTypeConnection\nfrom promptflow.contracts.types import Secret\nclass Keys(CustomStrongTypeConnection):\n    key: Secret\n    url: str\n@tool\ndef n(c: Keys): return [type(c).__name__, c.url, len(c.key)]\n',
        '{c: typed}',
      ),
      'f/connections.yaml': keys,
    },
    argv: ['run', 'f'],
    outputs: { o: ['Keys', 'here', 3] },
  },
  {
    what: 'environment variables: texts, JSON, fields of connections',
    files: {
      ...oneNode(
        'import os\n@tool\ndef n(): return [os.environ[k] for k in "ABCD"]\n',
        '{}',
        "environment_variables: {A: true, B: [1, {c: d}], C: '${typed.url}', D: 1.0}\n",
      ),
      'f/connections.yaml': keys,
    },
    argv: ['run', 'f'],
    outputs: { o: ['True', '[1, {"c": "d"}]', 'here', '1.0'] },
  },
  {
    // As promptflow 1.18.5 gives it.
    what: 'properties that the object has and its JSON does not',
    files: {
      'f/flow.dag.yaml':
        "outputs:\n  names: {type: string, reference: '${n.output.label}'}\n  none: {type: int, reference: '${c.output.none}'}\n  seen: {type: list, reference: '${s.output}'}\nnodes:\n- {name: n, type: python, source: {type: code, path: n.py}}\n- {name: c, type: python, source: {type: code, path: c.py}}\n- {name: s, type: python, source: {type: code, path: s.py}, inputs: {x: '${n.output.score}', y: '${c.output.many}', z: '${c.output.new}'}}\n",
      'f/n.py': `from typing import NamedTuple\nclass Found(NamedTuple):\n    label: str\n    score: float\n${tool}def n(): return Found("a", 0.5)\n`,
      'f/c.py': `from collections import Counter\n${tool}def c(): return Counter(["many", "many"])\n`,
      'f/s.py': `${tool}def s(x, y, z): return [x, y, z]\n`,
    },
    argv: ['run', 'f'],
    outputs: { names: 'a', none: 0, seen: [0.5, 2, 0] },
  },
  {
    // As promptflow 1.18.5 gives it.
    what: 'templates look into the objects that code gives',
    files: {
      'f/flow.dag.yaml':
        "outputs:\n  o: {type: string, reference: '${p.output}'}\nnodes:\n- {name: n, type: python, source: {type: code, path: n.py}}\n- {name: p, type: prompt, source: {type: code, path: p.jinja2}, inputs: {x: '${n.output}', scores: '${n.output.pairs}'}}\n",
      'f/n.py': `import datetime\nfrom collections import Counter\nfrom dataclasses import dataclass\nfrom decimal import Decimal\nfrom typing import NamedTuple\nclass Pair(NamedTuple):\n    label: str\n    score: float\nclass Row:\n    def __getitem__(self, key): return {"name": "N"}[key]\n@dataclass\nclass Doc:\n    text: str\n    when: object = None\n    @property\n    def short(self): return self.text[:1]\n${tool}def n(): return {"docs": [Doc("one", datetime.date(2024, 1, 2)), Doc("two")], "pairs": [Pair("a", 0.5), ("b", 1)], "by": {1: "first"}, "c": Counter("aab"), "s": {3}, "d": Decimal("1.50"), "row": Row(), "b": b"x"}\n`,
      'f/p.jinja2':
        '{% for doc in x.docs %}{{ doc.text }} {{ doc.short }} {{ doc.when.isoformat() if doc.when }} {{ doc.when.year }};{% endfor %} {{ scores }} {{ scores[0].score }} {{ x.by }} {{ x.by[1] }} {{ x.c }} {{ x.c.a }} {{ x.c.none }} {{ x.s }} {{ x.s | length }} {{ 3 in x.s }} {{ x.d }} {{ x.d | float }} {% for a, b in scores %}{{ a }}{{ b }}{% endfor %} {{ x.row.name }}{{ x.row.none }}{{ x.b.none }} {{ x.b }}',
    },
    argv: ['run', 'f'],
    outputs: {
      o: "one o 2024-01-02 2024;two t  ; [Pair(label='a', score=0.5), ('b', 1)] 0.5 {1: 'first'} first Counter({'a': 2, 'b': 1}) 2 0 {3} 1 True 1.50 1.5 a0.5b1 N b'x'",
    },
  },
  {
    what: 'a variant, in both spellings',
    files: {
      'f/flow.dag.yaml':
        "outputs:\n  o: {type: string, reference: '${n.output}'}\nnodes:\n- {name: n, use_variants: true}\nnode_variants:\n  n:\n    default_variant_id: a\n    variants:\n      a: {node: {type: python, source: {type: code, path: n.py}, inputs: {x: A}}}\n      b: {node: {type: python, source: {type: code, path: n.py}, inputs: {x: B}}}\n",
      'f/n.py': `${tool}def n(x): return x\n`,
    },
    argv: ['run', 'f', '--variant', 'n.b'],
    outputs: { o: 'B' },
  },
])('$what', { timeout: 180_000 }, async ({ files, argv, outputs }) => {
  using world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
  writeFiles(world.folder, files);
  const { stdout, stderr } = await world.flow(...argv, '--json');
  expect({ ...JSON.parse(stdout), stderr }).toMatchObject({ status: 'Completed', outputs, stderr: '' });
});

test('an exception of Prompt flow is told as it is, any other as that of the tool', { timeout: 180_000 }, async () => {
  using world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
  const raise = (what: string) =>
    oneNode(`from promptflow.exceptions import UserErrorException\n@tool\ndef n(): raise ${what}\n`);
  const told = async (what: string) => {
    writeFiles(world.folder, raise(what));
    return JSON.parse((await world.flow('run', 'f', '--json')).stdout).nodes.n.error;
  };
  expect(await told('UserErrorException("no such thing")')).toMatchObject({ message: 'no such thing' });
  expect(await told('ValueError("no such thing")')).toMatchObject({
    message: "Execution failure in 'n': (ValueError) no such thing",
  });
});

test('a property of a bypassed node that an aggregation node reads fails the row', { timeout: 180_000 }, async () => {
  using world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
  writeFiles(world.folder, {
    'f/flow.dag.yaml':
      "inputs: {x: {type: int}}\nnodes:\n- {name: n, type: python, source: {type: code, path: n.py}, activate: {when: '${inputs.x}', is: 1}}\n- {name: all, type: python, aggregation: true, source: {type: code, path: all.py}, inputs: {v: '${n.output.k}'}}\n",
    'f/n.py': `${tool}def n(): return {"k": 1}\n`,
    'f/all.py': `from promptflow.core import log_metric\n${tool}def all(v): log_metric("sum", sum(v))\n`,
    'd.jsonl': '{"x": 1}\n{"x": 0}\n',
  });
  const { stdout } = await world.flow('run', 'f', '--data', 'd.jsonl', '--name', 'r', '--json');
  const events: { event: string; line?: number; status?: string }[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const ended = events.filter(({ event }) => event === 'row-ended').sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  expect(ended.map(({ status }) => status)).toEqual(['Completed', 'Failed']);
  expect(stdout).toContain("Invalid property 'k' when accessing the node 'n'");
  expect(events.at(-1)).toMatchObject({ metrics: { sum: 1 } });
});

test('numbers of many digits, and those that are none, are literals for flow check too', {
  timeout: 180_000,
}, async () => {
  using world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
  const code = '@tool\ndef n(a: int, b, c: float, d): return [repr(v) for v in (a, b, c, d)]\n';
  const inputs = '{a: 12345678901234567890123, b: [-98765432109876543210], c: .nan, d: {inf: -.inf, one: 1.0}}';
  writeFiles(world.folder, oneNode(code, inputs));
  expect(await world.flow('check', 'f')).toMatchObject({ code: 0, stderr: '' });
  // As promptflow 1.18.5 gives it.
  const o = ['12345678901234567890123', '[-98765432109876543210]', 'nan', "{'inf': -inf, 'one': 1.0}"];
  expect(parseJson((await world.flow('run', 'f', '--json')).stdout)).toMatchObject({ outputs: { o } });
});

test.for([
  ['x.part(1)', "'part' of a 'Doc' object"],
  ['x == 1', "'==' of a 'Doc' object"],
  ['x.items | list', "'__iter__' of a 'generator' object"],
])(
  'what a template cannot ask of an object is told: it is no empty text: %s',
  { timeout: 180_000 },
  async ([asked, what]) => {
    using world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
    writeFiles(world.folder, {
      'f/flow.dag.yaml':
        "outputs:\n  o: {type: string, reference: '${p.output}'}\nnodes:\n- {name: n, type: python, source: {type: code, path: n.py}}\n- {name: p, type: prompt, source: {type: code, path: p.jinja2}, inputs: {x: '${n.output}'}}\n",
      'f/n.py': `class Doc:\n    def part(self, n): return n\n    def __eq__(self, other): return True\n    @property\n    def items(self): return (i for i in [1])\n${tool}def n(): return Doc()\n`,
      'f/p.jinja2': `{{ ${asked} }}`,
    });
    const { nodes } = JSON.parse((await world.flow('run', 'f', '--json')).stdout);
    expect(nodes.p.error.message).toBe(
      `Failed to render jinja template: NotSupportedError: ${what} cannot be used in a template: let the node before it give what the template prints. Please modify your prompt to fix the issue.`,
    );
  },
);
