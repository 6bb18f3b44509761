// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { expect, test } from 'vitest';
import { besideRun, type SmallFlow } from '../testing/beside-run.ts';

const ask = (name: string, more: string, inputs = '{model: m}'): string =>
  `{name: ${name}, type: llm, connection: offline, source: {type: code, path: ${name}.jinja2}, ${more}, inputs: ${inputs}}`;
const packageTool = (name: string, tool: string, inputs: string): string =>
  `{name: ${name}, type: python, source: {type: package, tool: ${tool}}, inputs: ${inputs}}`;

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
  'a prompty that is none': {
    nodes: ['{name: a, type: prompty, source: {type: code, path: a.prompty}, inputs: {}}'],
    files: { 'a.prompty': 'user:\nhi\n' },
  },
};

test('check tells what keeps a flow, or each row of it, from running, and nothing else as an error', async () => {
  await expect(await besideRun(flows)).toMatchFileSnapshot('check-beside-run.golden.txt');
});
