// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of flows look like templates
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorld } from '../packages/cli/src/testing/test-io.ts';
import { writeFiles } from '../packages/cli/src/testing/write-files.ts';
import { rehearsal } from './pages/rehearsal.ts';

/** A busy machine may take so long. */
const timeout = 600_000;

const root = join(import.meta.dirname, '..');
const PATH = process.env['PATH'] ?? '';

/** The blocks of a page in one language, in order. */
function blocksOf(page: string, language: string): readonly string[] {
  const blocks = readFileSync(join(root, page), 'utf8').matchAll(
    new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'),
  );
  return [...blocks].map(([, block = '']) => block);
}

const documents = {
  'docs/手引き.md': `# 個人情報の手引き

## 目的
この手引きは、個人情報の扱い方を定めます。

## 漏えいの報告
漏えいに気づいたら、その日のうちに窓口へ知らせます。

## 委託
委託先には、契約で安全管理を求めます。
`,
  'docs/faq.jsonl': `{"id": "1", "title": "Retention", "text": "We keep data for three years.", "lang": "en"}
{"id": "2", "title": "Cookies", "text": "The site sets no cookies of others.", "lang": "en"}
`,
  'docs/scan.pdf': '%PDF-1.4 broken',
};
const disclosure = { 'docs/開示.md': '# 開示\n本人から求められたら開示します。\n' };

/** Sizes of files, and digests of what another Node has otherwise. */
const anyNode = (text: string): string =>
  text.replaceAll(/[\d.]+ KB/g, 'SIZE').replaceAll(/\b[0-9a-f]{8}\b/g, 'DIGEST');

test('an index is built, kept up to date and asked as its guide shows it', { timeout }, async () => {
  using world = createTestWorld();
  writeFiles(world.folder, documents);
  const guide = rehearsal('docs/guide/index.md', { ...world, lasting: anyNode });
  await guide.type(3);
  writeFiles(world.folder, disclosure);
  await guide.type();
});

/** The scores that a judge gives, attempt by attempt, by what it is asked. */
const scores = Array.from({ length: 10 }, (_, row) => [row, row % 4 === 1 ? 2 : 5, 4] as const);
const judgeReplies = scores.flatMap(([row, first, second]) =>
  [first, second].map((score) => `- {when: "question ${row}.", reply: '{"score": ${score}, "why": "w"}'}\n`),
);

test('a judge scores attempts at rows as its guide shows it', { timeout }, async () => {
  const [evaluation = '', judge = ''] = blocksOf('docs/guide/judges.md', 'yaml');
  using world = createTestWorld();
  writeFiles(world.folder, {
    'flows/privacy-agent/flow.dag.yaml': `inputs: {query: {type: string}}
outputs: {answer: {type: string, reference: "\${answer.output}"}}
nodes:
- {name: answer, type: prompt, source: {type: code, path: answer.jinja2}, inputs: {query: "\${inputs.query}"}}
`,
    'flows/privacy-agent/answer.jinja2': 'an answer to {{ query }}\n',
    'flows/privacy-agent/data.jsonl': scores.map(([row]) => `{"query": "question ${row}."}\n`).join(''),
    'evals/appi/eval.yaml': evaluation,
    'judges/correctness/flow.dag.yaml': judge,
    'judges/correctness/ask.jinja2': 'user:\n{{ question }} {{ answer }} {{ truth }}\n',
    'judges/correctness/read.ts': 'export const read = ({ said }: { said: string }) => JSON.parse(said);\n',
    'judges/correctness/share.ts': `export function share({ read }: { read: { score: number }[] }, { logMetric }: { logMetric: (name: string, value: number) => void }) {
  logMetric('share_of_good', read.filter(({ score }) => score >= 4).length / read.length);
  return null;
}
`,
    'connections.yaml': 'judge: {type: scripted, file: judge.yaml}\n',
    'judge.yaml': judgeReplies.join(''),
  });
  await rehearsal('docs/guide/judges.md', world).type();
});

test('an image goes through a flow as its page shows it', { timeout }, async () => {
  const page = 'docs/images.md';
  const [flow = ''] = blocksOf(page, 'yaml');
  const [code = ''] = blocksOf(page, 'python');
  using world = createTestWorld();
  const square = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
  writeFiles(world.folder, {
    'look/flow.dag.yaml': flow,
    'look/look.jinja2': 'user:\nWhat is it?\n![image]({{ photo }})\n',
    'look/crop.py': code,
    'look/replies.yaml': '- reply: A red square.\n',
  });
  writeFileSync(join(world.folder, 'square.png'), Buffer.from(square, 'base64'));
  const words = { '/pictures/square.png': join(world.folder, 'square.png') };
  const lasting = (text: string) => text.replaceAll(/[0-9a-f-]{36}\.png/g, 'UUID.png');
  await rehearsal(page, { folder: world.folder, environment: { PATH }, words, lasting }).type();
});

test('tools of packages answer, and one that nobody has is told, as their page shows it', { timeout }, async () => {
  const page = 'docs/package-tools.md';
  const [nodes = ''] = blocksOf(page, 'yaml');
  using world = createTestWorld();
  const answer = nodes.replace(/ {2}- name: vector\n(?: {4}.*\n)+/, '');
  const flow = `inputs: {question: {type: string, default: How long do refunds take?}}
outputs: {answer: {type: string, reference: "\${answer.output}"}}
${answer}`;
  writeFiles(world.folder, {
    'ask/flow.dag.yaml': flow,
    'ask/answer.jinja2': 'user:\n{{ question }}\n',
    'ask/replies.yaml': '- reply: Refunds take thirty days.\n',
  });
  const shown = rehearsal(page, { folder: world.folder, environment: { PATH } });
  await shown.type(1);
  writeFiles(world.folder, { 'ask/flow.dag.yaml': flow.replace('promptflow.tools.llm.llm', 'nowhere.tool') });
  await shown.type();
  expect(answer).not.toBe(nodes);
});
