// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

/** A flow in which what stands at one place is another. */
function flowWith(place: string, name: string): string {
  // A thread for code takes longer than all else that such a flow does.
  const hasCode = /^(code|variable)|^key$/.test(place);
  const answering = hasCode ? 'tidy' : place === 'node' ? name : 'ask';
  const at = (here: string, otherwise: string): string => JSON.stringify(here === place ? name : otherwise);
  const reference = (here: string, otherwise: string): string =>
    JSON.stringify(here === place ? `\${${name}.output.${name}}` : otherwise);
  const codeNode = `- name: tidy
  type: python
  source: {type: code, path: ${at('code', 'tidy.ts')}}
  inputs: {${at('code input', 'x')}: ${reference('code reference', 'x')}}
  ${at('key', 'cache')}: false
`;
  return `inputs:
  ${at('input', 'text')}: {type: ${at('input type', 'string')}, default: ${at('default', 'hi')}}
outputs:
  ${at('output', 'out')}: {type: ${at('output type', 'string')}, reference: ${reference('output reference', `\${${answering}.output}`)}}
environment_variables:
  ${at('variable', 'A')}: ${reference('variable value', 'x')}
nodes:
- name: ${at('node', 'ask')}
  type: ${at('node type', 'llm')}
  source: {type: ${at('source type', 'code')}, path: ${at('template', 'ask.jinja2')}}
  connection: ${at('connection', 'offline')}
  provider: ${at('provider', 'AzureOpenAI')}
  api: ${at('api', 'chat')}
  inputs:
    model: ${at('model', 'offline')}
    ${at('parameter', 'temperature')}: 0
    tool_choice: ${at('tool choice', 'auto')}
    tools: [{type: ${at('tool type', 'function')}, function: {name: ${at('tool', 'f')}, parameters: {type: object, properties: {${at('argument', 'q')}: {type: ${at('argument type', 'string')}}}}}}]
  retry: {times: 1, fallback: [${at('fallback', 'offline')}]}
${hasCode ? codeNode : ''}`;
}

const places =
  'input|input type|default|output|output type|output reference|variable|variable value|node|node type|source type|template|connection|provider|api|model|parameter|tool choice|tool type|tool|argument|argument type|fallback|code|code input|code reference|key'.split(
    '|',
  );

/** Members that every object of JavaScript has. */
const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];

test.for(names)(
  'whatever a flow calls %s is a name like any other, or a mistake that is told',
  {
    timeout: 120_000,
  },
  async (name) => {
    using world = createTestWorld();
    const wrong: string[] = [];
    for (const place of places) {
      const files = {
        'ask.jinja2': 'system:\nx\n',
        'tidy.ts': 'export default () => 1;\n',
        'd.jsonl': '{"text": "hi"}\n',
      };
      writeFiles(world.folder, { ...files, 'flow.dag.yaml': flowWith(place, name) });
      for (const command of ['check .', 'run .', 'run . --data d.jsonl', 'types .']) {
        const { code, stdout, stderr } = await world.flow(...command.split(' '));
        if (code > 2 || /flow itself failed|native code|object Object/.test(stdout + stderr))
          wrong.push(`${place}: ${command}: ${code} ${stderr}`);
      }
    }
    expect(wrong).toEqual([]);
  },
);
