import { expect, test } from 'vitest';
import { createTestWorld } from '../packages/cli/src/testing/test-io.ts';
import { writeFiles } from '../packages/cli/src/testing/write-files.ts';

const tool = 'from promptflow.core import tool\n@tool\n';

/** Of each filter and operator what it makes of `Kind.RED`, which is the text `red`, and of `Level.ONE`, which is 1. */
const enumsInTemplate = `Kind.RED RED red 3 Kind.RED red! RED RED Kind.RED 3 r re "red" Kind.RED Kind.RED  Kind.RED
True True True True True True False True 1 r r T [<Kind.RED: 'red'>] Kind.RED red Kind.RED Red Kind.RED False True ['r', 'e', 'd'] redred 1 red|   red   |red der r re Kind.RED Kind.RED
1 ONE 1 2 2.5 True True True True 6 1 001 01 1 [<Level.ONE: 1>] -1 1 1.0 1 True 1x [0] a 1 ab bc
Plain.A A a False True [<Kind.BLUE: 'blue'>, <Kind.RED: 'red'>] Kind.BLUE Kind.RED blue red BLUE RED [1, 3] Kind.BLUE:1 Kind.RED:2  ['RED', 'BLUE']  ["blue", "red"] True [<Kind.BLUE: 'blue'>, <Kind.RED: 'red'>] 2 |False
`;

/** What objects of Python's give to other nodes; all as promptflow 1.18.5 gives it. */
test.for([
  {
    what: 'members of enums that are texts and numbers, by a reference and inside, in templates and code',
    files: {
      'f/flow.dag.yaml': `outputs: {o: {type: string, reference: '\${p.output}'}, b: {type: string, reference: '\${q.output}'}, c: {type: string, reference: '\${c.output}'}}
nodes:
- {name: n, type: python, source: {type: code, path: n.py}}
- {name: k, type: python, source: {type: code, path: k.py}}
- {name: i, type: python, source: {type: code, path: i.py}}
- {name: p, type: prompt, source: {type: code, path: p.jinja2}, inputs: {x: '\${n.output}', kind: '\${k.output}', one: '\${i.output}'}}
- {name: q, type: prompt, source: {type: code, path: p.jinja2}, inputs: {x: '\${n.output}', kind: '\${n.output.kind}', one: '\${n.output.one}'}}
- {name: c, type: python, source: {type: code, path: c.py}, inputs: {kind: '\${n.output.kind}', one: '\${n.output.one}', t: '\${n.output.tags[0]}'}}
`,
      'f/n.py': `from enum import Enum, IntEnum
from promptflow.core import tool
class Kind(str, Enum):
    RED = "red"
    BLUE = "blue"
class Level(IntEnum):
    ONE = 1
    TWO = 2
class Plain(Enum):
    A = "a"
@tool
def n(): return {"kind": Kind.RED, "one": Level.ONE, "tags": [Kind.BLUE, Kind.RED], "plain": Plain.A, "by": {Kind.RED: "r"}, "docs": [{"kind": Kind.RED, "t": 1}, {"kind": Kind.BLUE, "t": 2}, {"kind": Kind.RED, "t": 3}]}
`,
      'f/k.py': `from enum import Enum
from promptflow.core import tool
class Kind(str, Enum):
    RED = "red"
@tool
def k(): return Kind.RED
`,
      'f/i.py': `from enum import IntEnum
from promptflow.core import tool
class Level(IntEnum):
    ONE = 1
@tool
def i(): return Level.ONE
`,
      'f/c.py': `${tool}def c(kind, one, t): return repr([kind, one, t])
`,
      'f/p.jinja2': `{{ kind }} {{ kind.name }} {{ kind.value }} {{ kind.value | length }} {{ kind ~ "" }} {{ kind + "!" }} {{ kind.upper() }} {{ kind | upper }} {{ kind | replace("e", "3") }} {{ kind | length }} {{ kind[0] }} {{ kind[:2] }} {{ kind | tojson }} {{ "%s" | format(kind) }} {{ "{}".format(kind) }} {{ "{:>9}".format(kind) }}
{{ kind == "red" }} {{ "red" == kind }} {{ kind in ["red"] }} {{ "r" in kind }} {{ kind is string }} {{ kind is sequence }} {{ kind is mapping }} {{ kind is iterable }} {{ {"red": 1}[kind] }} {{ x.by[kind] }} {{ x.by.red }} {% if kind %}T{% endif %} {{ [kind] }} {{ [kind] | join(",") }} {{ ",".join([kind]) }} {{ kind | string }} {{ kind | title }} {{ kind | default("d") }} {{ kind is lower }} {{ kind < "s" }} {{ kind | list }} {{ kind * 2 }} {{ kind | wordcount }} {{ kind | trim }}|{{ kind | center(9) }}|{{ kind | urlencode }} {{ kind | reverse }} {{ kind | first }} {{ kind | truncate(2, True, "", 0) }} {{ kind | e }} {{ kind | safe }}
{{ one }} {{ one.name }} {{ one.value }} {{ one + 1 }} {{ one * 2.5 }} {{ one == 1 }} {{ one is number }} {{ one is integer }} {{ one < 2 }} {{ [5, 6][one] }} {{ "%d" | format(one) }} {{ "%03d" % one }} {{ "{:02d}".format(one) }} {{ one | tojson }} {{ [one] }} {{ -one }} {{ one | abs }} {{ one | float }} {{ one | int }} {{ one is odd }} {{ one ~ "x" }} {{ range(one) | list }} {{ {1: "a"}[one] }} {{ one | round(1) }} {{ "ab" * one }} {{ "abc"[one:] }}
{{ x.plain }} {{ x.plain.name }} {{ x.plain.value }} {{ x.plain == "a" }} {{ x.plain == x.plain }} {{ x.tags }} {{ x.tags | sort | join(" ") }} {{ x.tags | map(attribute="value") | join(" ") }} {{ x.tags | map("upper") | join(" ") }} {{ x.docs | selectattr("kind", "eq", "red") | map(attribute="t") | list }} {% for g, ds in x.docs | groupby("kind") %}{{ g }}:{{ ds | length }} {% endfor %} {{ x.docs | map(attribute="kind.name") | unique | list }} {{ x | tojson if false }} {{ x.tags | tojson }} {{ "blue" in x.tags }} {{ x.tags | pprint }} {{ x.tags | map(attribute="missing") | list | length }} {{ kind.missing }}|{{ kind.missing is defined }}
`,
    },
    argv: ['run', 'f'],
    outputs: { o: enumsInTemplate, b: enumsInTemplate, c: `[<Kind.RED: 'red'>, <Level.ONE: 1>, <Kind.BLUE: 'blue'>]` },
  },
  {
    what: 'conditions ask objects what they equal',
    files: {
      'f/flow.dag.yaml': `outputs: {o: {type: object, reference: '\${z.output}'}}
nodes:
- {name: n, type: python, source: {type: code, path: n.py}}
- {name: k, type: python, source: {type: code, path: k.py}}
- {name: l, type: python, source: {type: code, path: l.py}}
- {name: dec, type: python, source: {type: code, path: m.py}, inputs: {x: dec}, activate: {when: '\${n.output}', is: 1}}
- {name: decno, type: python, source: {type: code, path: m.py}, inputs: {x: decno}, activate: {when: '\${n.output}', is: 2}}
- {name: red, type: python, source: {type: code, path: m.py}, inputs: {x: red}, activate: {when: '\${k.output}', is: red}}
- {name: lred, type: python, source: {type: code, path: m.py}, inputs: {x: lred}, activate: {when: '\${l.output.kind}', is: red}}
- {name: lone, type: python, source: {type: code, path: m.py}, inputs: {x: lone}, activate: {when: '\${l.output.one}', is: 1}}
- {name: ldec, type: python, source: {type: code, path: m.py}, inputs: {x: ldec}, activate: {when: '\${l.output.dec}', is: 1.0}}
- {name: lt, type: python, source: {type: code, path: m.py}, inputs: {x: lt}, activate: {when: '\${l.output.t}', is: [1, 2]}}
- {name: lli, type: python, source: {type: code, path: m.py}, inputs: {x: lli}, activate: {when: '\${l.output.li}', is: [1, 2]}}
- {name: own, type: python, source: {type: code, path: m.py}, inputs: {x: own}, activate: {when: '\${l.output.own}', is: anything}}
- {name: lnone, type: python, source: {type: code, path: m.py}, inputs: {x: lnone}, activate: {when: '\${l.output.none}', is: null}}
- {name: ldate, type: python, source: {type: code, path: m.py}, inputs: {x: ldate}, activate: {when: '\${l.output.d}', is: 2024-01-02}}
- {name: z, type: python, source: {type: code, path: z.py}, inputs: {a: '\${dec.output}', b: '\${decno.output}', c: '\${red.output}', d: '\${lred.output}', e: '\${lone.output}', f: '\${ldec.output}', g: '\${lt.output}', h: '\${lli.output}', i: '\${own.output}', j: '\${lnone.output}', k: '\${ldate.output}'}}
`,
      'f/n.py': `from decimal import Decimal
${tool}def n(): return Decimal(1)
`,
      'f/k.py': `from enum import Enum
from promptflow.core import tool
class Kind(str, Enum):
    RED = "red"
@tool
def k(): return Kind.RED
`,
      'f/l.py': `import datetime
from decimal import Decimal
from enum import Enum, IntEnum
from promptflow.core import tool
class Kind(str, Enum):
    RED = "red"
class Level(IntEnum):
    ONE = 1
class Own:
    def __eq__(self, other): return True
@tool
def l(): return {"kind": Kind.RED, "one": Level.ONE, "dec": Decimal(1), "t": (1, 2), "li": [1, 2], "own": Own(), "none": None, "d": datetime.date(2024, 1, 2)}
`,
      'f/m.py': `${tool}def m(x): return x
`,
      'f/z.py': `${tool}def z(a, b, c, d, e, f, g, h, i, j, k): return [a, b, c, d, e, f, g, h, i, j, k]
`,
    },
    argv: ['run', 'f'],
    outputs: { o: ['dec', null, 'red', 'lred', 'lone', 'ldec', null, 'lli', 'own', 'lnone', 'ldate'] },
  },
  {
    what: 'tests, truth, order and equality of objects in templates',
    files: {
      'f/flow.dag.yaml': `outputs: {o: {type: string, reference: '\${p.output}'}}
nodes:
- {name: n, type: python, source: {type: code, path: n.py}}
- {name: p, type: prompt, source: {type: code, path: p.jinja2}, inputs: {x: '\${n.output}', d: '\${n.output.d}'}}
`,
      'f/n.py': `import datetime
from collections import deque
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from uuid import UUID
class Plain(Enum):
    A = "a"
    B = "b"
@dataclass
class Doc:
    t: str
class Bag:
    def __len__(self): return 0
${tool}def n(): return {"d": Decimal("2"), "half": Decimal("0.1"), "zero": Decimal(0), "r": range(2), "q": deque([1]), "b": b"ab", "s": {1}, "e": Plain.A, "e2": Plain.B, "es": [Plain.A], "doc": Doc("t"), "day": datetime.date(2024, 1, 2), "days": [datetime.date(2024, 1, 2)], "u": UUID(int=1), "bag": Bag(), "f": len, "by": {Plain.B: "b", datetime.date(2024, 1, 2): "day"}}
`,
      'f/p.jinja2': `{% for v in [x.d, x.half, x.r, x.q, x.b, x.s, x.e, x.doc, x.day, x.u, x.bag, x.f] %}{{ v is number }} {{ v is sequence }} {{ v is iterable }} {{ v is mapping }} {{ v is callable }} {{ v is string }} {{ v == 2 }} {{ v == "a" }} {{ v in [2, "b"] }} {{ v != None }} {% if v %}T{% else %}F{% endif %}
{% endfor %}
{{ d == 2.0 }} {{ 2 == d }} {{ d > 1 }} {{ d < 2.5 }} {{ d >= 2 }} {{ x.half == 0.1 }} {{ x.half < 0.2 }} {% if x.zero %}T{% else %}F{% endif %} {{ x.zero or "none" }} {{ x.e == x.es[0] }} {{ x.e == x.e2 }} {{ x.e in x.es }} {{ x.day == x.days[0] }} {{ x.day in x.days }} {{ [x.d, x.half] | sort | join(" ") }} {{ [x.half, x.d] | max }} {{ "%.1f" | format(d) }} {{ "%d" % d }} {{ d | float }} {{ {2: "two"}[d] }} {{ x.by[x.e2] }} {{ x.by[x.day] }} {{ x.by[x.e] }} {{ x.e2 in x.by }}
{% for i in x.r %}{{ i }}{% endfor %}{% for i in x.q %}{{ i }}{% endfor %}{% for i in x.b %}{{ i }} {% endfor %}{{ x.r[1] }}{{ x.q[0] }}{{ x.b[0] }}
`,
    },
    argv: ['run', 'f'],
    outputs: {
      o: `True False False False False False True False True True TTrue False False False False False False False False True TFalse True True False False False False False False True TFalse True True False False False False False False True TFalse True True False False False False False False True TFalse False True False False False False False False True TFalse False False False False False False False False True TFalse False False False False False False False False True TFalse False False False False False False False False True TFalse False False False False False False False False True TFalse False False False False False False False False True FFalse False False False True False False False False True TTrue True True True True False True F none True False True True True 0.1 2 2 2.0 2 2.0 two b day  True
01197 98 1197
`,
    },
  },
  {
    what: 'attributes of mappings of an own class, and flags of several bits, in templates',
    files: {
      'f/flow.dag.yaml': `outputs: {o: {type: string, reference: '\${p.output}'}}
nodes:
- {name: n, type: python, source: {type: code, path: n.py}}
- {name: p, type: prompt, source: {type: code, path: p.jinja2}, inputs: {x: '\${n.output.x}', l: '\${n.output.l}', f: '\${n.output.f}', r: '\${n.output.r}'}}
`,
      'f/n.py': `import enum
class Own(dict):
    kind = "book"
    def __getattr__(self, k): return "no " + k
    @property
    def total(self): return sum(self.values())
    def values(self): return [1, 2, 3]
Loose = type("Loose", (dict,), {"__getattr__": dict.get})
class Flag(enum.Flag):
    R = 1
    W = 2
${tool}def n(): return {"x": Own(a=5), "l": Loose(a=1), "f": Flag.R | Flag.W, "r": Flag.R}
`,
      'f/p.jinja2':
        '{{ x.a }} {{ x["a"] }} {{ x.kind }} {{ x.total }} {{ x.zz }} {{ x["zz"] }} {{ x.keys() | list }} {{ l.a }} {{ l.zz }} {{ l.zz is none }} {{ f.name }} {{ f }} {{ f | list }} {{ r.name }}',
    },
    argv: ['run', 'f'],
    outputs: {
      o: "no a 5 book 6 no zz no zz ['a'] 1 None True R|W Flag.R|W [<Flag.R: 1>, <Flag.W: 2>] R",
    },
  },
])('$what', { timeout: 180_000 }, async ({ files, argv, outputs }) => {
  using world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
  writeFiles(world.folder, files);
  const { stdout, stderr } = await world.flow(...argv, '--json');
  expect({ ...JSON.parse(stdout), stderr }).toMatchObject({ status: 'Completed', outputs, stderr: '' });
});

test.for([
  ['a property that counts is asked for once', 'self.n = getattr(self, "n", 0) + 1\n        return self.n', 'got 1'],
  ['a property that raises is not printed as nothing', 'raise ValueError("not connected")', 'JinjaTemplateError'],
  ['a property that is not there is', 'raise AttributeError("got")', 'got '],
] as const)('%s', { timeout: 60_000 }, async ([, body, told]) => {
  using world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
  writeFiles(world.folder, {
    'f/flow.dag.yaml': `outputs: {o: {type: string, reference: '\${p.output}'}}
nodes:
- {name: n, type: python, source: {type: code, path: n.py}}
- {name: p, type: prompt, source: {type: code, path: p.jinja2}, inputs: {x: '\${n.output}'}}
`,
    'f/n.py': `class Own:\n    @property\n    def got(self):\n        ${body}\n${tool}def n(): return Own()\n`,
    'f/p.jinja2': 'got {{ x.got }}',
  });
  const { outputs, error } = JSON.parse((await world.flow('run', 'f', '--json')).stdout);
  expect(outputs.o ?? error.code).toBe(told);
});
