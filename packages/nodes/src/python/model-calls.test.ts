import { promptFlowModules } from '@unroll/promptflow';
import { openWrittenFlow } from '@unroll/promptflow/testing';
import { expect, test } from 'vitest';
import { startOpenAiServer } from '../testing/openai-server.ts';
import { createTestFlow, runNode } from '../testing/test-flow.ts';

/** What the package openai has for all its methods, answering without a service. */
const openai = {
  'openai/__init__.py': '',
  'openai/_base_client.py': `import asyncio


class Stream:
    def __init__(self, items):
        self._iterator = iter(items)

    def __iter__(self):
        return iter(self._iterator)


class Raw:
    def __init__(self, text):
        self.http_response = type("R", (), {"content": text})


class SyncAPIClient:
    def request(self, cast_to, options, *, stream=False, stream_cls=None):
        return options.answer


class AsyncAPIClient:
    async def request(self, cast_to, options, *, stream=False, stream_cls=None):
        await asyncio.sleep(0)
        return options.answer


class AzureOpenAI(SyncAPIClient):
    pass


class Options:
    def __init__(self, answer, url="/chat/completions", method="post"):
        self.answer, self.url, self.method, self.json_data = answer, url, method, {"model": "asked"}
`,
};

const head = `from promptflow.core import tool
from promptflow.tracing import trace
USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
CHAT = {"model": "gpt-4o", "usage": USAGE}
SMALL = {"model": "small", "usage": {"prompt_tokens": 3, "total_tokens": 3}}


def ask(answer=CHAT, client="SyncAPIClient", **how):
    from openai import _base_client as base
    return getattr(base, client)().request(dict, base.Options(answer, **how))


def stream(*chunks):
    from openai import _base_client as base
    return ask(base.Stream(chunks))


`;

const used = (prompt: number, completion: number, more: object = {}): object => ({
  promptTokens: prompt,
  completionTokens: completion,
  totalTokens: prompt + completion,
  ...more,
});
const by = (model: string, connectionType = 'open_ai'): object => ({ billedAs: { connectionType, model } });
const one = used(10, 5, by('gpt-4o'));
const untold = used(0, 0, { untoldCalls: 1 });

test.for<readonly [string, string, object | undefined]>([
  ['nobody', 'return 1', undefined],
  ['a model', 'ask()', one],
  ['a model in a traced function', 'trace(lambda: ask())()', one],
  ['a model twice', 'ask(); ask()', used(20, 10, by('gpt-4o'))],
  [
    'a model, and another one for vectors',
    'ask(); ask(SMALL, url="/embeddings")',
    {
      ...used(13, 5),
      parts: [one, used(3, 0, by('small'))],
    },
  ],
  [
    'a deployment',
    'ask(client="AzureOpenAI", url="/deployments/d/chat/completions")',
    used(10, 5, by('gpt-4o', 'azure_open_ai')),
  ],
  ['a service that names no model', 'ask({"usage": USAGE})', used(10, 5, by('asked'))],
  ['a service that tells no tokens', 'ask({"model": "m"})', untold],
  ['a model, and looks at the answer again', 'ask(); ask(url="/responses/r_1", method="get")', one],
  ['for the whole response', 'import json; from openai import _base_client as b; ask(b.Raw(json.dumps(CHAT)))', one],
  ['for a stream with its tokens', 'list(stream({"choices": []}, CHAT))', one],
  ['for a stream without them', 'list(stream({"choices": []}))', untold],
  ['for a stream, and reads one chunk', 'next(iter(stream({"choices": []}, CHAT)))', untold],
  ['for events of a response', 'list(stream({"type": "x"}, {"type": "done", "response": CHAT}))', one],
  ['in a thread', 'import threading; t = threading.Thread(target=ask); t.start(); t.join()', one],
  ['a model and fails', 'ask(); raise ValueError("x")', one],
  ['without waiting', 'import asyncio; asyncio.run(ask(client="AsyncAPIClient"))', one],
])('code that asks %s', async ([, body, usage]) => {
  const files = { ...openai, 'n.py': `${head}@tool\ndef n():\n    ${body}\n` };
  await using flow = createTestFlow(files, { standIns: [promptFlowModules] });
  const { report } = await runNode(await flow.prepare('n.py'));
  expect(report?.usage).toEqual(usage);
  const told =
    '1 call of a model told no tokens, so budgets and costs lack them: a stream tells them where it is asked with stream_options={"include_usage": true}';
  expect(report?.warnings).toEqual(usage === untold ? [told] : undefined);
});

test.for<readonly [string, string, object | undefined]>([
  ['asks as its items are taken', 'def n():\n    ask()\n    yield "a"\n', one],
  ['hands a stream on', 'def n():\n    return (c["model"] for c in stream(CHAT))\n', one],
  ['hands one on that tells nothing', 'def n():\n    return (c["m"] for c in stream({"m": "x"}))\n', untold],
  ['is async', 'async def n():\n    ask()\n    yield "a"\n', one],
])('an output that comes in pieces counts: code that %s', async ([, code, usage]) => {
  await using files = createTestFlow({ ...openai, 'n.py': `${head}@tool\n${code}` });
  const text =
    'outputs:\n  out: {type: string, reference: "${n.output}"}\nnodes:\n- {name: n, type: python, source: {type: code, path: n.py}, inputs: {}}\n';
  await using flow = await openWrittenFlow(text, files.folder);
  const { nodes } = await flow.runRow({});
  expect(nodes[0]?.usage).toEqual(usage);
});

test('a prompty that code calls counts, without promptflow installed too', async () => {
  await using server = await startOpenAiServer([{ message: { content: 'Hi.' } }]);
  const prompty = `---
model:
  api: chat
  configuration: {type: openai, model: gpt-4o, base_url: ${server.url}/v1, api_key: k}
inputs: {q: {type: string}}
---
user:
{{q}}
`;
  const code = `${head}from promptflow.core import Prompty\n\n@tool\ndef n():\n    return Prompty.load("ask.prompty")(q="x")\n`;
  await using files = createTestFlow({ 'ask.prompty': prompty, 'n.py': code });
  const text = 'nodes:\n- {name: n, type: python, source: {type: code, path: n.py}, inputs: {}}\n';
  await using flow = await openWrittenFlow(text, files.folder);
  const { nodes } = await flow.runRow({});
  expect(nodes[0]).toMatchObject({ output: 'Hi.', usage: { totalTokens: 15, billedAs: { model: 'gpt-4o' } } });
});
