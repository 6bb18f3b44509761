// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { expect, test } from 'vitest';
import { besideRun, type SmallFlow } from '../testing/beside-run.ts';
import {
  agent,
  ask,
  chats,
  code,
  greet,
  lookup,
  on,
  packageOfTools,
  packageTool,
  prompted,
} from '../testing/small-nodes.ts';

const openModel = (name: string, endpoint: string): string =>
  prompted(name, 'promptflow.tools.open_model_llm.OpenModelLLM.call', `{endpoint_name: ${endpoint}, api: chat}`);

/** What each of them was told to be before: ready to run, or a mistake that stops nothing. */
const flows: Readonly<Record<string, SmallFlow>> = {
  'a chat without a role': {
    nodes: [
      ask('a', 'api: chat'),
      ask('b', 'api: responses', '{model: m, q: a}'),
      ask('c', 'api: chat'),
      ask('d', 'api: chat'),
      ask('e', 'api: chat', '{model: m, q: a}'),
    ],
    files: {
      'a.jinja2': '\n{# a comment #}You answer.\n\nuser:\nhi\n',
      'b.jinja2': 'Answer this: {{q}}\n',
      'c.jinja2': 'function:\nhi\n',
      'd.jinja2': 'user:\nhi\n\ntool:\nhi\n',
      'e.jinja2': '{% set x = 1 %}\n## user:\n{{q}}\n',
    },
  },
  'what may still become a role, and what is no chat': {
    nodes: [
      ask('a', 'api: chat', '{model: m, q: "user:\\nhi"}'),
      ask('b', 'api: chat', '{model: m, q: user}'),
      ask('c', 'api: chat', '{model: m, q: "em"}'),
      ask('d', 'api: completion', '{deployment_name: m}'),
      ask('e', 'api: chat'),
      ask('f', 'api: chat', '{model: m, prompt: "user:\\nhi"}'),
    ],
    files: {
      'a.jinja2': '{% for x in [1] %}{{q}}{% endfor %}\n',
      'b.jinja2': '# {{q}}:\nhi\n',
      'c.jinja2': 'Syst{{q}}:\nhi\n',
      'd.jinja2': 'just text\n',
      'e.jinja2': '\n  # User :\nhi\n',
      'f.jinja2': 'just text\n',
    },
  },
  'a completion that names a model and no deployment': {
    nodes: [ask('a', 'api: completion')],
    files: { 'a.jinja2': 'just text\n' },
  },
  'inputs of package tools': {
    nodes: [
      packageTool('a', 'promptflow.tools.embedding.embedding', '{connection: offline, model: m, input: ""}'),
      packageTool('b', 'promptflow.tools.embedding.embedding', '{input: hi}'),
      packageTool('c', 'promptflow.tools.embedding.embedding', '{connection: offline, input: hi, modle: m}'),
      '{name: d, type: custom_llm, source: {type: package_with_prompt, tool: promptflow.tools.open_model_llm.OpenModelLLM.call, path: d.jinja2}, inputs: {api: chat}}',
      '{name: e, type: custom_llm, source: {type: package_with_prompt, tool: promptflow.tools.llm.llm, path: e.jinja2}, inputs: {connection: offline, api: chat, model: m}}',
    ],
    files: { 'd.jinja2': 'user:\nhi\n', 'e.jinja2': 'just text\n' },
  },
  'endpoints of Open Model LLM': {
    above: 'inputs: {q: {type: int, default: 1}}\n',
    nodes: [
      openModel('a', 'onlineEndpoint/x'),
      openModel('b', 'gone/x'),
      openModel('c', 'connection/gone'),
      openModel('d', 'localConnection/bare'),
      openModel('e', 'localConnection/other'),
      openModel('f', 'connection/right').replace('inputs:', 'activate: {when: "${inputs.q}", is: 2}, inputs:'),
    ],
    files: {
      ...chats('abcdef'),
      'connections.yaml': `bare: {type: custom, configs: {a: b}, secrets: {c: abcdefgh12}}
other: {type: custom, configs: {endpoint_url: "https://127.0.0.1:9", model_family: GPT9}, secrets: {endpoint_api_key: abcdefgh12}}
right: {type: custom, configs: {endpoint_url: "https://127.0.0.1:9", model_family: LLAMA}, secrets: {endpoint_api_key: abcdefgh12}}
`,
    },
  },
  'inputs that code of TypeScript and lookups pass over': {
    nodes: [
      '{name: a, type: python, source: {type: code, path: a.ts}, inputs: {q: hi, more: 1}}',
      '{name: b, type: python, source: {type: code, path: a.ts}, inputs: {}}',
      '{name: c, type: lookup, index: faq.jsonl, inputs: {query: "", top_k: 2}}',
    ],
    files: {
      'a.ts': 'export default ({ q }: { q: string }) => q;\n',
      'faq.jsonl': '{"id": "1", "text": "hi"}\n',
    },
  },
  'tools of an agent': {
    nodes: [
      agent(
        '[{name: get, description: d, code: tools.ts, function: gett}, {name: look, description: d, code: tools.py}]',
      ),
      agent('[{openapi: orders.yaml}, {openapi: orders.yaml, base_url: "http://127.0.0.1:9", connection: shop}]', 'b'),
      agent('[{openapi: orders.yaml, code: tools.ts}, {name: over, description: d, code: broken.ts}]', 'c'),
      agent(
        '[{mcp: {name: s, command: node}, allow: [get]}, {name: get, description: d, code: tools.ts}, {mcp: {name: t, command: node}, allow: [get]}]',
        'd',
      ),
      agent('[{name: f, description: d, lambda: {function: f, region: r, connection: offline}}]', 'e'),
    ],
    files: {
      'agent.jinja2': 'user:\n{{q}}\n',
      'tools.ts': 'export const get = ({ k }: { k: string }) => k;\n',
      'tools.py': 'def find(k):\n    return k\n',
      'broken.ts': "import { gone } from 'no-such-package';\nexport enum Kind { a }\nexport const over = () => gone;\n",
      'orders.yaml':
        'openapi: 3.0.0\ninfo: {title: t, version: "1"}\npaths: {/o: {get: {operationId: getOrder, description: d, responses: {}}}}\n',
    },
  },
  'tools of a service whose place nobody tells, and an OpenAPI document with misspelt words': {
    nodes: [
      agent('[{openapi: orders.yaml, connection: shop}]'),
      agent('[{openapi: orders.yaml, connection: shop, base_url: "http://127.0.0.1:9"}]', 'b'),
    ],
    files: {
      'agent.jinja2': 'user:\n{{q}}\n',
      'connections.yaml': 'shop: {type: custom, secrets: {api_key: key-of-the-shop}}\n',
      'orders.yaml': `openapi: 3.0.0
security: [{keyy: []}]
components: {securitySchemes: {key: {type: apiKey, in: header}}}
paths:
  /o:
    get:
      operationId: getOrder
      parameters: [{name: ids, in: query, style: pipeDelimted, schema: {type: array, itms: {}}}]
    put:
      operationId: putOrder
      parameters: [{name: k, in: query, schema: {type: strng}}]
`,
    },
  },
  'names that another TypeScript file does not export': {
    nodes: [code('a'), code('b'), code('c'), code('d')],
    files: {
      'd.ts': "import empty, { split } from './empty.ts';\nexport default () => [empty, split];\n",
      'empty.ts': '// to be written\n',
      'a.ts': `import helper, { word, wrod as said, type Kind } from './helper.ts';
import { Kind as Other, more, two } from './helper.ts';
import { readFileSnyc } from 'node:fs';
import data from './data.json';
export default () => [helper, word, said, more, two, readFileSnyc, data, Other];
`,
      'b.ts': "export { gone as run } from './helper.ts';\n",
      'c.ts': `import whole, { loose } from './loose.ts';
import { far, fra } from './through.ts';
import data from './data.json' with { type: 'json' };
import { join } from 'node:path';
export default () => [whole, loose, far, fra, data, join];
`,
      'helper.ts': 'export const word = 1, two = 2;\nexport interface Kind { a: 1 }\nexport { word as more };\n',
      'loose.ts': 'export const { loose } = { loose: 1 };\nexport { loose as default };\n',
      'through.ts': "export * from './far.ts';\n",
      'far.ts': 'export function far() {}\n',
      'data.json': '{}',
    },
  },
  'other connections that were asked already': {
    nodes: [
      ask('a', 'api: chat, retry: {fallback: [offline]}'),
      ask('b', 'api: chat, retry: {fallback: [{connection: offline, model: m}]}'),
      ask('c', 'api: chat, retry: {fallback: [t, {connection: offline, model: n}, t]}'),
    ],
    files: { ...chats('abc'), 'connections.yaml': 't: {type: scripted, file: t.yaml}\n', 't.yaml': '- reply: hi\n' },
  },
  'connections that cannot be opened': {
    nodes: [on('a', 'unset'), on('b', 'empty'), on('c', 'many'), on('d', 'path')],
    files: {
      ...chats('abcd'),
      'empty.yaml': '- when: hi\n',
      'connections.yaml': `unset: {type: open_ai, api_key: "\${env:NO_SUCH_VARIABLE}"}
empty: {type: scripted, file: empty.yaml}
many: {type: open_ai, api_key: abcdefgh12, max_response_bytes: many}
path: {type: ai_sdk, package: ../mine}
`,
    },
  },
  'lookups that find nothing in any row': {
    nodes: [
      lookup('a', 'faq.jsonl, mode: vector'),
      lookup('b', 'faq.json', '5'),
      lookup('c', 'faq.json', 'hi, filter: {year: {gte: 2020}}'),
    ],
    files: { 'faq.jsonl': '\ufeff{"id": "1", "text": "hi"}\n', 'faq.json': '\ufeff[{"id": "1", "text": "hi"}]' },
  },
  'documents that begin with a byte order mark': {
    nodes: [lookup('a', 'faq.jsonl'), lookup('b', 'faq.json')],
    files: { 'faq.jsonl': '\ufeff{"id": "1", "text": "hi"}\n', 'faq.json': '\ufeff[{"id": "1", "text": "hi"}]' },
  },
  'a variable that is called as every object of JavaScript has a member': {
    nodes: [ask('a', 'api: chat', '{model: m, constructor: hi}')],
    files: { 'a.jinja2': 'user:\n{{ constructor }}\n' },
  },
  'a connection whose type is called so': {
    nodes: [on('a', 'o')],
    files: { 'a.jinja2': 'user:\nhi\n', 'connections.yaml': 'o: {type: constructor, api_key: abcdefgh12}\n' },
  },
  'what keeps a lookup or a model from being made ready': {
    nodes: [
      lookup('a', 'there, connection: o'),
      ask('b', 'api: chat', '{model: m, temperature: 0}'),
      '{name: c, type: prompt, source: {type: code, path: c.jinja2}, inputs: {template: hi}}',
    ],
    files: {
      'b.jinja2': 'user:\n{{ temperature }}\n',
      'c.jinja2': '{{ template }}\n',
      'connections.yaml': 'o: {type: open_ai, api_key: abcdefgh12}\n',
    },
  },
  'an index that is none': {
    nodes: [lookup('a', 'text.index'), lookup('b', './empty.index')],
    files: { 'text.index': 'x'.repeat(4096), 'empty.index': '' },
  },
  'TypeScript that Node refuses as a module': {
    nodes: [code('a'), code('b'), code('c')],
    files: {
      'a.ts': 'const fs = require("fs");\nexport default () => fs;\n',
      'b.ts': 'export const one = 1;\nconst two = 2;\nexport { two as one };\nexport default () => two;\n',
      'c.ts': 'export default () => 1;\nexport default function two() { return 2; }\n',
    },
  },
  'a default export that is no function': {
    nodes: [code('a')],
    files: { 'a.ts': 'const x = 3;\nexport default x;\n' },
  },
  'TypeScript that is written as CommonJS': {
    nodes: [
      '{name: a, type: python, source: {type: code, path: a.mts}, inputs: {}}',
      code('b'),
      '{name: c, type: python, source: {type: code, path: c.mjs}, inputs: {}}',
    ],
    files: {
      'a.mts': 'module.exports = () => "a";\n',
      'b.ts': 'import fs from "node:fs";\nexports.run = () => typeof fs;\n',
      'c.mjs': 'const fs = require("node:fs");\nmodule.exports = () => typeof fs;\n',
    },
  },
  'TypeScript that is CommonJS': {
    nodes: [code('a'), '{name: b, type: python, source: {type: code, path: b.js}, inputs: {}}'],
    files: { 'a.ts': 'module.exports = () => "a";\n', 'b.js': 'exports.run = () => "b";\n' },
  },
  'TypeScript with require alone': {
    nodes: [code('a')],
    files: { 'a.ts': 'const fs = require("fs");\nexport default () => typeof fs;\n' },
  },
  'TypeScript that only looks so': {
    nodes: [code('a'), code('b')],
    files: {
      'a.ts':
        'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);\nconst fs = require("fs");\nexport default () => typeof fs;\n',
      'b.ts':
        'export default function b(q?: string): string;\nexport default function b(): string { return "x"; }\nexport interface Kind { a: 1 }\nexport const Kind = 1;\nexport const late = () => {\nconst fs = require("fs");\nreturn fs;\n};\nexport { late as other, type Kind as Type };\n',
    },
  },
  'an argument that the class of a flow does not take': {
    flex: 'entry: m:Greet\ninit: {mrak: {type: string, default: a}, b: {type: string}}\n',
    files: { 'm.py': greet(", mark='!'") },
  },
  'an argument of a sample, which --init replaces': {
    flex: 'entry: m:Greet\nsample: {init: {z: a}}\n',
    files: { 'm.py': greet('') },
  },
  'arguments of which the text does not tell whether they are taken': {
    flex: 'entry: m:Greet\ninit: {z: {type: string, default: a}}\n',
    files: { 'm.py': `import dataclasses\n${greet(', **more')}` },
  },
  'an entry that is for certain no function': {
    flex: 'entry: m:f\n',
    files: { 'm.py': 'import functools\ndef g(q):\n    return q\nf = functools.partial(g, q="a")  # made\n' },
  },
  'an entry that is an object of a class': {
    flex: 'entry: m:made\n',
    files: { 'm.py': `${greet('')}\nmade = Greet()\n` },
  },
  'an entry that may be a function': {
    flex: 'entry: m:made\n',
    files: { 'm.py': `class Maker:\n    def __new__(cls):\n        return lambda q="a": q\n\nmade = Maker()\n` },
  },
  'a node that is code with an entry': {
    nodes: ['{name: a, type: flex, source: {type: code, path: a.py}, inputs: {}}'],
    files: { 'a.py': 'def f(q="a"):\n    return q\n' },
  },
  'an input that code does not take, and a type that there is not': {
    flex: 'entry: m:f\ninputs: {z: {type: strng, default: a}}\n',
    files: { 'm.py': 'def f(q="a"):\n    return q\n' },
  },
  'arguments that are no mapping': {
    flex: 'entry: m:Greet\ninit: abc\n',
    files: { 'm.py': greet(", mark='!'") },
  },
  'tools of installed packages that cannot be made ready': {
    above: 'inputs: {q: {type: int, default: 1}}\n',
    nodes: [
      packageTool('a', 'probe_tools.add', '{a: apple}'),
      packageTool('b', 'probe_tools.with_connection', '{connection: gone, text: hi}'),
      packageTool('c', 'probe_tools.with_connection', '{connection: model, text: hi}'),
      packageTool('d', 'probe_tools.Counter.count', '{by: 1}'),
      packageTool('e', 'probe_tools.Counter.count', '{start: "${inputs.q}", by: 1}'),
      packageTool('f', 'probe_tools.missing', '{}'),
      prompted('g', 'probe_tools.add', '{a: 1}'),
      prompted('h', 'probe_tools.fill', '{size: 2}'),
      packageTool('i', 'twice', '{a: 1}'),
      packageTool('j', 'probe_tools.with_connection', '{connection: modle, text: hi}'),
    ],
    files: {
      ...packageOfTools,
      ...chats('g'),
      'h.jinja2': 'user:\n{{size}}\n',
      'connections.yaml': 'model: {type: open_ai, api_key: abcdefgh12}\n',
    },
  },
  'tools of installed packages that are ready': {
    above: 'inputs: {q: {type: int, default: 1}}\n',
    nodes: [
      packageTool('a', 'old.add', '{a: "7", b: "${inputs.q}", c: apple}'),
      packageTool('b', 'probe_tools.with_connection', '{connection: own, text: 2020-01-01}'),
      packageTool('c', 'probe_tools.with_strong', '{connection: own, text: hi}'),
      packageTool('d', 'probe_tools.Counter.count', '{start: "3", by: "${inputs.q}", connection: ""}'),
      prompted('e', 'probe_tools.fill', '{size: "2", q: hi}'),
    ],
    files: {
      ...packageOfTools,
      'e.jinja2': 'user:\n{{q}}\n',
      'connections.yaml': 'own: {type: custom, configs: {k: v}, secrets: {secret: abcdefgh12}}\n',
    },
  },
  'a prompty that is none': {
    nodes: ['{name: a, type: prompty, source: {type: code, path: a.prompty}, inputs: {}}'],
    files: { 'a.prompty': 'user:\nhi\n' },
  },
};

test('check tells what keeps a flow, or each row of it, from running, and nothing else as an error', async () => {
  await expect(await besideRun(flows)).toMatchFileSnapshot('check-beside-run.golden.txt');
});
