import { createRequire } from 'node:module';
import { compileTemplate } from '../packages/engine/src/template/index.ts';

/**
 * G3: a chat prompt over ten function results, ours beside hand-written code and plain nunjucks, in turns. Each text is
 * read (its first character), so that none is left as a chain of pieces that V8 would join only later.
 */
interface Nunjucks {
  readonly Environment: new (loader: null, options: Readonly<Record<string, boolean>>) => object;
  compile(source: string, environment: object): { render(data: object): string };
}
const nunjucks = createRequire(new URL('../packages/engine/package.json', import.meta.url))('nunjucks') as Nunjucks;

interface Result {
  readonly name: string;
  readonly content: string;
}

const source =
  '# system:\nAnswer.\n{% for r in results %}\n# function:\nname: {{ r.name }}\ncontent:\n{{ r.content }}\n{% endfor %}\n# user:\n{{ question }}\n';
const data = {
  question: 'What is personal information?',
  results: Array.from({ length: 10 }, (_, at): Result => ({ name: `search_${at}`, content: `Passage number ${at}.` })),
};

function byHand({ question, results }: typeof data): string {
  let text = '# system:\nAnswer.\n';
  for (const result of results) text += `# function:\nname: ${result.name}\ncontent:\n${result.content}\n`;
  return `${text}# user:\n${question}\n`;
}

const compiled = compileTemplate(source, { trimBlocks: true, keepTrailingNewline: true });
if (!compiled.ok) throw new Error('bug: the template does not compile');
const plain = nunjucks.compile(source, new nunjucks.Environment(null, { autoescape: false, trimBlocks: true }));
const contenders: Readonly<Record<string, () => string>> = {
  'by hand': () => byHand(data),
  ours: () => compiled.template.render(data),
  'ours, guarded': () => compiled.template.render(data, { guard: '\u0001' }),
  nunjucks: () => plain.render(data),
};
if (contenders['ours']?.() !== byHand(data)) throw new Error('bug: the texts differ');

const loops = 5000;
const times = new Map<string, number[]>();
let sink = 0;
for (let round = 0; round < 21; round++) {
  for (const [name, run] of Object.entries(contenders)) {
    const start = process.hrtime.bigint();
    for (let at = 0; at < loops; at++) sink += run().charCodeAt(0);
    const each = Number(process.hrtime.bigint() - start) / loops / 1000;
    times.set(name, [...(times.get(name) ?? []), each]);
  }
}
const started = process.hrtime.bigint();
for (let at = 0; at < 500; at++) compileTemplate(`${source}{# ${at} #}`);
const compileTime = Number(process.hrtime.bigint() - started) / 500 / 1000;

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
const base = median(times.get('by hand') ?? []);
for (const [name, values] of times) {
  process.stdout.write(
    `${name.padEnd(14)} ${median(values).toFixed(2).padStart(8)} µs  ${(median(values) / base).toFixed(2)}×\n`,
  );
}
process.stdout.write(`compile        ${compileTime.toFixed(2).padStart(8)} µs\n`);
if (sink === 0) process.exitCode = 1;
