import { createTestWorld, type TestWorld } from './test-io.ts';
import { writeFiles } from './write-files.ts';

/** A flow with a node of every kind that can be taken from an earlier run, on three rows. */
export function notesWorld(): TestWorld {
  const world = createTestWorld();
  writeFiles(world.folder, files);
  return world;
}

const files: Readonly<Record<string, string>> = {
  'notes/flow.dag.yaml': `inputs:
  question: {type: string}
outputs:
  answer: {type: string, reference: "\${tidy.output}"}
environment_variables: {TONE: polite}
nodes:
  - {name: find, type: lookup, index: knowledge, top_k: 1, inputs: {query: "\${inputs.question}"}}
  - name: shape
    type: python
    source: {type: code, path: shape.ts}
    inputs: {hits: "\${find.output}"}
  - name: say
    type: prompt
    source: {type: code, path: say.jinja2}
    inputs: {note: "\${shape.output}"}
  - name: ask
    type: llm
    source: {type: code, path: ask.jinja2}
    connection: offline
    api: chat
    inputs: {deployment_name: small, note: "\${say.output}"}
  - name: tidy
    type: python
    source: {type: code, path: tidy.py}
    inputs: {text: "\${ask.output}"}
  - name: count
    type: python
    aggregation: true
    source: {type: code, path: count.ts}
    inputs: {answers: "\${tidy.output}"}
`,
  'notes/knowledge/a.jsonl':
    '{"id": "a1", "title": "同意", "text": "第三者提供には同意が要ります。"}\n{"id": "a2", "title": "委託", "text": "委託には要りません。"}\n',
  'notes/shape.ts':
    'import { mark } from "./lib/mark.ts";\nexport default ({ hits }: { hits: { text: string }[] }) => mark(hits[0]?.text ?? "");\n',
  'notes/lib/mark.ts': 'import { sign } from "./sign.ts";\nexport const mark = (text: string) => sign + text;\n',
  'notes/lib/sign.ts': 'export const sign = "* ";\n',
  'notes/lib/other.ts': 'export const other = 1;\n',
  'notes/say.jinja2': '{# a note #}Note: {{ note }}\n',
  'notes/ask.jinja2': '# system:\nYou answer briefly.\n\n# user:\n{{ note }}\n',
  'notes/tidy.py':
    'from promptflow.core import tool\n\nfrom helpers.ends import strip\n\n\n@tool\ndef tidy(text: str) -> str:\n    return strip(text)\n',
  'notes/helpers/__init__.py': '',
  'notes/helpers/ends.py': 'from . import marks\n\n\ndef strip(text):\n    return text.strip() + marks.END\n',
  'notes/helpers/marks.py': 'END = "。"\n',
  'notes/helpers/unused.py': 'END = "!"\n',
  'notes/count.ts': 'export default ({ answers }: { answers: string[] }) => answers.length;\n',
  'rows.jsonl': '{"question": "同意"}\n{"question": "委託"}\n{"question": "第三者提供"}\n',
};
