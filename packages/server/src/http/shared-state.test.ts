import { openProject } from '@unroll/project';
import { expect, test } from 'vitest';
import { postJson } from '../testing/post-json.ts';
import { serveFlows, startHeldAddress } from '../testing/served-world.ts';

const shared = {
  'code/flow.dag.yaml': `inputs:
  q: {type: string}
  list: {type: list, default: []}
  more: {type: object, default: {seen: []}}
outputs:
  o: {type: object, reference: "\${n.output}"}
  more: {type: object, reference: "\${inputs.more}"}
nodes:
- {name: n, type: python, source: {type: code, path: n.ts}, inputs: {q: "\${inputs.q}", list: "\${inputs.list}", more: "\${inputs.more}", fixed: [1]}}
`,
  'code/n.ts': `export function n({ q, list, more, fixed }) { list.push(q); more.seen.push(q); fixed.push(q); return { list, more, fixed }; }\n`,
  'py/flow.dag.yaml': `inputs:
  q: {type: string}
  list: {type: list, default: []}
  more: {type: object, default: {seen: []}}
outputs:
  o: {type: object, reference: "\${n.output}"}
nodes:
- {name: n, type: python, source: {type: code, path: n.py}, inputs: {q: "\${inputs.q}", list: "\${inputs.list}", more: "\${inputs.more}", fixed: [1]}}
`,
  'py/n.py': `from promptflow.core import tool

@tool
def n(q, list, more, fixed):
    list.append(q)
    more["seen"].append(q)
    fixed.append(q)
    return {"list": list, "more": more, "fixed": fixed}
`,
  'tmpl/flow.dag.yaml': `inputs:
  q: {type: string}
  list: {type: list, default: []}
  more: {type: object, default: {seen: []}}
outputs:
  o: {type: string, reference: "\${n.output}"}
nodes:
- {name: n, type: prompt, source: {type: code, path: n.jinja2}, inputs: {q: "\${inputs.q}", list: "\${inputs.list}", more: "\${inputs.more}", fixed: [1]}}
`,
  'tmpl/n.jinja2': `{% set a = list.append(q) %}{% set b = more.seen.append(q) %}{% set c = more.update({'k': q}) %}{% set d = fixed.append(q) %}{{ list }} {{ more }} {{ fixed }}`,
};

test.for(['code', 'py', 'tmpl'])(
  'what one caller leaves in defaults and literals is not there for the next: %s',
  async (name) => {
    await using world = await serveFlows([name], {}, shared);
    const ask = async (q: string): Promise<string> => await (await postJson(`${world.server.url}/score`, { q })).text();
    const first = await ask('first-callers-word');
    expect(first).toContain('first-callers-word');
    const second = await ask('other');
    expect(second).not.toContain('first-callers-word');
  },
);

const spinning = {
  'spin/flow.dag.yaml': `inputs: {n: {type: int}}
outputs: {n: {type: int, reference: "\${spin.output}"}}
nodes:
- {name: spin, type: python, source: {type: code, path: FILE}, inputs: {n: "\${inputs.n}"}}
`,
  'spin/spin.ts': 'export function spin({ n }) { while (n === 0) {} return n; }\n',
  'spin/spin.py':
    'from promptflow.core import tool\n\n@tool\ndef spin(n):\n    while n == 0:\n        pass\n    return n\n',
};

test.for<[file: string, holdsUpOthers: boolean]>([
  ['spin.ts', false],
  // There are no more Python workers than UNROLL_PYTHON_WORKERS says.
  ['spin.py', true],
])('code of one caller that never ends is ended when the caller leaves: %s', async ([file, holdsUpOthers]) => {
  const flow = spinning['spin/flow.dag.yaml'].replace('FILE', file);
  await using world = await serveFlows(['spin'], { drainMs: 0 }, { ...spinning, 'spin/flow.dag.yaml': flow });
  const url = `${world.server.url}/score`;
  const leave = new AbortController();
  const json = { 'content-type': 'application/json' };
  const endless = Array.from({ length: 3 }, () =>
    fetch(url, { method: 'POST', body: '{"n": 0}', headers: json, signal: leave.signal }).catch(() => undefined),
  );
  const others = [1, 2, 3].map(async (n) => (await postJson(url, { n })).json());
  if (!holdsUpOthers) await Promise.all(others);
  leave.abort();
  await Promise.all(endless);
  expect(await Promise.all(others)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

const printing = {
  'print/flow.dag.yaml': `inputs: {q: {type: string}, url: {type: string}}
outputs: {q: {type: string, reference: "\${print.output}"}}
nodes:
- {name: print, type: python, source: {type: code, path: FILE}, inputs: {q: "\${inputs.q}", url: "\${inputs.url}"}}
`,
  'print/print.ts': `export async function print({ q, url }) {
  console.log('before', q);
  await (await fetch(url)).text();
  console.log('after', q);
  return q;
}
`,
  'print/print.py': `from urllib.request import urlopen
from promptflow.core import tool

@tool
def print_it(q: str, url: str):
    print("before", q)
    urlopen(url).read()
    print("after", q)
    return q
`,
  'print/async.py': `import asyncio
from urllib.request import urlopen
from promptflow.core import tool

@tool
async def print_it(q: str, url: str):
    print("before", q)
    await asyncio.to_thread(lambda: urlopen(url).read())
    print("after", q)
    return q
`,
};

test.for(['print.ts', 'print.py', 'async.py'])(
  'what code prints for one caller is in the record of no other: %s',
  async (file) => {
    await using held = await startHeldAddress();
    const flow = printing['print/flow.dag.yaml'].replace('FILE', file);
    await using world = await serveFlows(['print'], {}, { ...printing, 'print/flow.dag.yaml': flow });
    const ask = (q: string) => postJson(`${world.server.url}/flows/print/runs`, { q, url: held.url });
    const asked = ['first', 'second'].map(ask);
    await held.asked(2);
    held.release();
    const places = await Promise.all(
      asked.map(async (answer) => (await (await answer).json()) as { run: string; line: number }),
    );
    await world.server.close();
    await using record = await openProject(world.folder, { runsFolder: world.host.runsFolder }).runs.open(
      places[0]?.run,
    );
    for (const [at, q] of ['first', 'second'].entries()) {
      const [node] = await record.nodes(places[at]?.line ?? -1);
      expect(node?.logs?.stdout).toBe(`before ${q}\nafter ${q}\n`);
    }
  },
);
