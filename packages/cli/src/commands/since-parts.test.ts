import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runObserved, write } from '../testing/observed-flow.ts';
import { createTestWorld } from '../testing/test-io.ts';

/** A flow, something that its result depends on, and what that is later. */
interface Part {
  readonly name: string;
  readonly flow: string;
  readonly files: Readonly<Record<string, string>>;
  /** It runs each time, which is told: nobody can compare what it asks. */
  readonly isUnseen?: true;
  readonly hasOwnPython?: true;
  readonly later: Readonly<Record<string, string>>;
}

const input = 'inputs: {q: {type: string}}\n';
const outputs = 'outputs: {a: {type: string, reference: "${n.output}"}}\n';
const python = `${input}${outputs}nodes:\n- {name: n, type: python, source: {type: code, path: n.py}, inputs: {q: "\${inputs.q}"}}\n`;
const llm = (connection: string, more = ''): string =>
  `${input}${outputs}nodes:\n- {name: n, type: llm, source: {type: code, path: n.jinja2}, connection: ${connection}, api: chat, inputs: {model: m, q: "\${inputs.q}"}${more}}\n`;
const said = '# user:\n{{ q }}\n';

const parts: readonly Part[] = [
  {
    name: 'the replies of a script',
    flow: llm('scripted:replies.yaml'),
    files: { 'flow/n.jinja2': said, 'flow/replies.yaml': '- reply: a\n- reply: a\n' },
    later: { 'flow/replies.yaml': '- reply: b\n- reply: b\n' },
  },
  {
    name: 'where a connection leads',
    flow: llm('mine'),
    files: {
      'flow/n.jinja2': '# user:\na {{ q }}\n',
      'flow/connections.yaml': 'mine: {type: open_ai, api_key: sk-not-a-real-key, base_url: SERVER0}\n',
    },
    later: { 'flow/connections.yaml': 'mine: {type: open_ai, api_key: sk-not-a-real-key, base_url: SERVER1}\n' },
  },
  {
    name: 'a Python module that is imported late',
    flow: python,
    files: {
      'flow/n.py': 'from promptflow.core import tool\n@tool\ndef n(q):\n    import late\n    return late.say()\n',
      'flow/late.py': 'def say():\n    import later\n    return later.word\n',
      'flow/later.py': 'word = "a"\n',
    },
    // Python takes a module for the one before that is as long and of the same second.
    later: { 'flow/later.py': '# Changed.\nword = "b"\n' },
  },
  {
    name: 'a Python module beside the flow, over the path',
    flow: python,
    files: {
      'flow/n.py':
        'import sys\nsys.path.insert(0, "FOLDER/lib")\nfrom promptflow.core import tool\n@tool\ndef n(q):\n    from pack import word\n    return word.word\n',
      'lib/pack/__init__.py': '',
      'lib/pack/word.py': 'word = "a"\n',
    },
    later: { 'lib/pack/word.py': '# Changed.\nword = "b"\n' },
  },
  {
    name: 'a Python package that takes the place of a module',
    flow: python,
    files: {
      'flow/n.py': 'from promptflow.core import tool\n@tool\ndef n(q):\n    import word\n    return word.word\n',
      'flow/word.py': 'word = "a"\n',
    },
    later: { 'flow/word/__init__.py': '# Changed.\nword = "b"\n' },
  },
  {
    name: 'a prompty that code asks',
    isUnseen: true,
    flow: python,
    files: {
      'flow/n.py':
        'from promptflow.core import Prompty, tool\n@tool\ndef n(q):\n    return Prompty.load("FOLDER/flow/p.prompty")(q=q)\n',
      'flow/p.prompty':
        '---\nname: p\nmodel: {api: chat, configuration: {connection: mine}, parameters: {model: m}}\ninputs: {q: {type: string}}\n---\nuser:\na {{ q }}\n',
      'flow/connections.yaml': 'mine: {type: open_ai, api_key: sk-not-a-real-key, base_url: SERVER0}\n',
    },
    later: {
      'flow/p.prompty':
        '---\nname: p\nmodel: {api: chat, configuration: {connection: mine}, parameters: {model: m}}\ninputs: {q: {type: string}}\n---\nuser:\nb {{ q }}\n',
    },
  },
  {
    name: 'where the connection of a prompty leads',
    isUnseen: true,
    flow: python,
    files: {
      'flow/n.py':
        'from promptflow.core import Prompty, tool\n@tool\ndef n(q):\n    return Prompty.load("FOLDER/flow/p.prompty")(q=q)\n',
      'flow/p.prompty':
        '---\nname: p\nmodel: {api: chat, configuration: {connection: mine}, parameters: {model: m}}\ninputs: {q: {type: string}}\n---\nuser:\na {{ q }}\n',
      'flow/connections.yaml': 'mine: {type: open_ai, api_key: sk-not-a-real-key, base_url: SERVER0}\n',
    },
    later: { 'flow/connections.yaml': 'mine: {type: open_ai, api_key: sk-not-a-real-key, base_url: SERVER1}\n' },
  },
  {
    name: 'a connection that code is given',
    flow: python.replace('inputs: {q: "${inputs.q}"}}\n', 'inputs: {q: "${inputs.q}", c: mine}}\n'),
    files: {
      'flow/n.py':
        'from promptflow.core import tool\nfrom promptflow.connections import CustomConnection\n@tool\ndef n(q, c: CustomConnection):\n    return c.configs["word"]\n',
      'flow/connections.yaml': 'mine: {type: custom, configs: {word: a}, secrets: {key: sk-not-a-real-key}}\n',
    },
    later: { 'flow/connections.yaml': 'mine: {type: custom, configs: {word: b}, secrets: {key: sk-not-a-real-key}}\n' },
  },
  {
    name: 'an installed package without a version',
    flow: python,
    hasOwnPython: true,
    files: {
      'flow/n.py': 'from promptflow.core import tool\nimport loose\n@tool\ndef n(q):\n    return loose.say()\n',
      'flow/.venv/lib/SITE/loose/__init__.py': 'from loose.inner.words import word\ndef say():\n    return word\n',
      'flow/.venv/lib/SITE/loose/inner/words.py': 'word = "a"\n',
    },
    later: { 'flow/.venv/lib/SITE/loose/inner/words.py': '# Changed.\nword = "b"\n' },
  },
  {
    name: 'an installed module without a version',
    flow: python,
    hasOwnPython: true,
    files: {
      'flow/n.py': 'from promptflow.core import tool\nimport loose\n@tool\ndef n(q):\n    return loose.word\n',
      'flow/.venv/lib/SITE/loose.py': 'word = "a"\n',
    },
    later: { 'flow/.venv/lib/SITE/loose.py': '# Changed.\nword = "b"\n' },
  },
  {
    name: 'documents of an index',
    flow: `${input}${outputs}nodes:\n- {name: found, type: lookup, index: docs.jsonl, mode: keyword, top_k: 1, inputs: {query: "\${inputs.q}"}}\n- {name: n, type: prompt, source: {type: code, path: n.jinja2}, inputs: {found: "\${found.output}"}}\n`,
    files: { 'flow/n.jinja2': '{{ found[0].text[2:] }}', 'flow/docs.jsonl': '{"id": "1", "text": "x a"}\n' },
    later: { 'flow/docs.jsonl': '{"id": "1", "text": "x b"}\n' },
  },
];

test.for(parts.map((part) => [part.name, part] as const))(
  '%s is another thing: --since takes nothing that depends on it, and takes all where nothing is',
  { timeout: 60_000 },
  async ([, { flow, files, later, isUnseen = false, hasOwnPython = false }]) => {
    using world = createTestWorld();
    const site = hasOwnPython ? makePython(world.folder) : '';
    const servers = await Promise.all(['', 'b'].map((always) => startEcho(always)));
    const addressed = (text: string): string =>
      servers.reduce((all, { url }, at) => all.replaceAll(`SERVER${at}`, url), text);
    const put = (all: Part['later']): void => {
      for (const [path, text] of Object.entries(all)) write(world, { [path.replace('SITE', site)]: addressed(text) });
    };
    put({ ...files, 'flow/flow.dag.yaml': flow, 'rows.jsonl': '{"q": "x"}\n{"q": "x"}\n' });
    const run = async (name: string, ...more: readonly string[]): Promise<unknown> => {
      const { outputs, ran, stderr } = await runObserved(world, name, ...more);
      expect(stderr.includes('cannot be compared')).toBe(isUnseen);
      return [String(outputs['a']).trim(), ran.includes('n')];
    };
    expect(await run('before')).toEqual(['a', true]);
    expect(await run('same', '--since', 'before')).toEqual(['a', isUnseen]);
    put(later);
    expect(await run('after', '--since', 'before')).toEqual(['b', true]);
  },
);

/** A Python of the flow's own, in `flow/.venv`. @returns where its packages lie */
function makePython(folder: string): string {
  execFileSync('python3', ['-m', 'venv', '--without-pip', join(folder, 'flow/.venv')]);
  const [version = ''] = readdirSync(join(folder, 'flow/.venv/lib'));
  return `${version}/site-packages`;
}

/** A model that says the first letter of what it is asked, or always the same. */
async function startEcho(always: string): Promise<{ readonly url: string }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as { messages: readonly { content: string }[] };
    const content = always === '' ? messages.at(-1)?.content.trim()[0] : always;
    const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: 'c', model: 'm', choices }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}
