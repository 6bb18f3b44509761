import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const flowFile = `inputs: {question: {type: string}}
outputs:
  answer: {type: string, reference: "\${ask.output}"}
  ok: {type: bool, reference: "\${check.output}"}
nodes:
- {name: prompt, type: prompt, source: {type: code, path: prompt.jinja2}, inputs: {question: "\${inputs.question}"}}
- name: ask
  type: llm
  source: {type: code, path: ask.jinja2}
  connection: mine
  api: chat
  inputs: {model: gpt-4o-mini, asked: "\${prompt.output}"}
- {name: check, type: python, source: {type: code, path: check.ts}, inputs: {answer: "\${ask.output}"}}
`;

/** A flow of a prompt, a model behind the connection `mine`, and a check in TypeScript. */
export function writeBulkFlow(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'flow.dag.yaml'), flowFile);
  writeFileSync(join(folder, 'prompt.jinja2'), 'Answer in one sentence.\n{{ question }}');
  writeFileSync(join(folder, 'ask.jinja2'), '# user:\n{{ asked }}\n');
  writeFileSync(
    join(folder, 'check.ts'),
    "export const check = ({ answer }: { answer: string }) => answer.toLowerCase().includes('consent');\n",
  );
}

/** @returns the file of so many questions, JSON lines */
export function writeBulkData(folder: string, rows: number): string {
  const path = join(folder, `${rows}.jsonl`);
  const line = (row: number): string => JSON.stringify({ question: `Question ${row}: may we pass on personal data?` });
  writeFileSync(path, `${Array.from({ length: rows }, (_, row) => line(row)).join('\n')}\n`);
  return path;
}
