import { startOpenAiServer } from '@unroll/nodes/testing';
import { expect, test } from 'vitest';
import { createTestWorld } from '../packages/cli/src/testing/test-io.ts';
import { writeFiles } from '../packages/cli/src/testing/write-files.ts';

const code = `from collections import Counter, OrderedDict, namedtuple
from dataclasses import dataclass
from promptflow.core import tool
Pair = namedtuple("Pair", "a b")
@dataclass
class Doc:
    tags: list
@tool
def n(): return {"t": ("a", ["b", "c"]), "l": [("a", "b"), "c"], "c": Counter("aab"), "o": OrderedDict(a=[1, 2]), "doc": Doc([1, 2]), "k": {(1, 2): [3, 4]}, "s": {7}, "p": Pair([1], "x")}
`;
const prompt = `user:
{{ t }}|{{ x.t }}|{{ x.t[1] }}|{{ x.l }}|{{ x.c }}|{{ x.o.a }}|{{ x.o }}|{{ x.doc }}|{{ x.doc.tags }}|{{ x.k[(1, 2)] }}|{{ x.s }}|{{ p }}|{{ p.a }}|{{ x['none'] }}`;

/** What promptflow 1.18.5 asks of the model. */
test.for([
  {
    what: 'a chat of Azure prints lists one item a line, tuples and what objects hold as Python does',
    connection: 'azure_open_ai',
    api: 'chat',
    asked: `('a', ['b', 'c'])|('a', ['b', 'c'])|['b', 'c']|('a', 'b')\nc|{'a': 2, 'b': 1}|1\n2|{'a': [1, 2]}|Doc(tags=[1, 2])|[1, 2]|3\n4|{7}|Pair(a=[1], b='x')|[1]|`,
  },
  {
    what: 'a chat of OpenAI prints all as Python does',
    connection: 'open_ai',
    api: 'chat',
    asked: `('a', ['b', 'c'])|('a', ['b', 'c'])|['b', 'c']|[('a', 'b'), 'c']|Counter({'a': 2, 'b': 1})|[1, 2]|OrderedDict([('a', [1, 2])])|Doc(tags=[1, 2])|[1, 2]|[3, 4]|{7}|Pair(a=[1], b='x')|[1]|`,
  },
  {
    what: 'a completion of Azure prints all as Python does',
    connection: 'azure_open_ai',
    api: 'completion',
    asked: `user:\n('a', ['b', 'c'])|('a', ['b', 'c'])|['b', 'c']|[('a', 'b'), 'c']|Counter({'a': 2, 'b': 1})|[1, 2]|OrderedDict([('a', [1, 2])])|Doc(tags=[1, 2])|[1, 2]|[3, 4]|{7}|Pair(a=[1], b='x')|[1]|`,
  },
])('$what', { timeout: 60_000 }, async ({ connection, api, asked }) => {
  await using server = await startOpenAiServer([{ message: { content: 'a' } }]);
  using world = createTestWorld({ environment: { PATH: process.env['PATH'] ?? '' } });
  const address = connection === 'open_ai' ? `base_url: ${server.url}/v1` : `api_base: ${server.url}`;
  writeFiles(world.folder, {
    'connections.yaml': `service: {type: ${connection}, ${address}, api_key: none}\n`,
    'f/flow.dag.yaml': `nodes:
- {name: n, type: python, source: {type: code, path: n.py}}
- {name: m, type: llm, source: {type: code, path: m.jinja2}, inputs: {deployment_name: d, model: d, x: '\${n.output}', t: '\${n.output.t}', p: '\${n.output.p}'}, connection: service, api: ${api}}
outputs: {o: {type: string, reference: '\${m.output}'}}
`,
    'f/n.py': code,
    'f/m.jinja2': prompt,
  });
  await world.flow('run', 'f');
  const body = server.requests[0]?.body as { prompt?: string; messages?: readonly { content: string }[] };
  expect(body?.prompt ?? body?.messages?.[0]?.content).toBe(asked);
});
