// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of flows look like templates
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { startFlow } from '../../packages/cli/src/testing/flow-process.ts';
import { untilFiles } from '../../packages/cli/src/testing/until-files.ts';
import { writeFiles } from '../../packages/cli/src/testing/write-files.ts';

const project = join(import.meta.dirname, '../..');
const agent = 'flows/privacy-agent';
const evaluation = 'evals/privacy-agent';

/** Gives back what it is given with everything a page may choke on; `fail` fails, `long` is ten million characters. */
const hostile: Readonly<Record<string, string>> = {
  'flows/hostile/flow.dag.yaml': `inputs:
  text: {type: string}
outputs:
  answer: {type: string, reference: "\${echo.output}"}
nodes:
- {name: echo, type: python, source: {type: code, path: echo.ts}, inputs: {text: "\${inputs.text}"}}
`,
  'flows/hostile/echo.ts': `export function echo({ text }: { text: string }) {
  if (text === 'fail') throw new TypeError('index shard <b>3</b> cannot be read');
  if (text === 'long') return 'ten characters and <i>more</i>\\u202e\\n'.repeat(300_000) + 'the end';
  return text + ' <img src=x onerror=alert(1)><script>alert(2)</script> \\u001b[31mred \\u202etxt.exe';
}
`,
  'flows/hostile/data.jsonl': `{"text": "<script>alert(3)</script>"}
{"text": "fail"}
{"text": "long"}
`,
  'flows/hostile/many.eval.yaml': `name: many
flow: .
data: ../../many.jsonl
metrics:
- {name: first, on: outputs.answer, evaluator: contains, expected: question 1}
`,
  'flows/held/flow.dag.yaml': `inputs:
  url: {type: string}
outputs:
  said: {type: string, reference: "\${wait.output}"}
nodes:
- {name: wait, type: python, source: {type: code, path: wait.ts}, inputs: {url: "\${inputs.url}"}}
`,
  'flows/held/wait.ts': `export async function wait({ url }: { url: string }) {
  return url === '' ? 'at once' : await (await fetch(url)).text();
}
`,
  'many.jsonl': Array.from({ length: 1234 }, (_, line) => `{"text": "question ${line}"}\n`).join(''),
};

export interface ViewedWorld extends Disposable {
  readonly folder: string;
  /** Opens the studio; the cookie it gives is what its pages need. */
  readonly address: string;
  readonly url: string;
  /** The server goes away, as it does when somebody ends it. */
  endServer(): Promise<void>;
}

/**
 * A folder with the sample agent, its evaluation and runs made by the built command: `right`, `guideline-first` (its prompt asks for the
 * other search first), `hostile` and `many` (1,234 rows); and `flow view` on it.
 */
export async function createViewedWorld(): Promise<ViewedWorld> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'unroll-studio-')));
  copyWorld(await folderWithRuns(), folder);
  const server = startFlow(['view', '--json', '--no-open'], { folder });
  await Promise.race([server.said('"address"'), server.ended]);
  const told = /\{.*"address".*\}/.exec(server.text())?.[0];
  if (told === undefined) throw new Error(`flow view did not begin: ${server.text()}`);
  const { address, url } = JSON.parse(told) as { readonly address: string; readonly url: string };
  const endServer = async (): Promise<void> => {
    server.child.kill('SIGTERM');
    await server.ended;
  };
  return {
    folder,
    address,
    url,
    endServer,
    [Symbol.dispose]: () => {
      server.child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Made once for a run of tests, beside the command that is built for it: others wait for who came first. */
async function folderWithRuns(): Promise<string> {
  const built = dirname(dirname(inject('builtFlow')));
  const made = join(built, 'viewed-world');
  if (!isFirst(join(built, 'viewed-world-begun'))) {
    await untilFiles(built, () => existsSync(made));
    return made;
  }
  const folder = mkdtempSync(join(built, 'new-'));
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  for (const name of [agent, evaluation]) cpSync(join(project, name), join(folder, name), { recursive: true });
  writeFiles(folder, hostile);
  await makeRuns(folder);
  renameSync(folder, made);
  return made;
}

/** The list of runs is in the order in which their files were made. */
function copyWorld(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (file) => !file.endsWith('.run') });
  for (const run of ['right', 'guideline-first', 'hostile', 'many'])
    copyFileSync(join(from, recordOf(run)), join(to, recordOf(run)));
}

const recordOf = (run: string): string => join('.flow/runs', `${run}.run`);

function isFirst(mark: string): boolean {
  try {
    mkdirSync(mark);
    return true;
  } catch {
    return false;
  }
}

async function makeRuns(folder: string): Promise<void> {
  const cases = `${evaluation}/cases.jsonl`;
  await run(folder, agent, cases, 'right');
  const prompt = join(folder, agent, 'agent.jinja2');
  const before = readFileSync(prompt, 'utf8');
  writeFileSync(prompt, before.replace('faq_search', 'guideline_search'));
  await run(folder, agent, cases, 'guideline-first', '--since', 'right');
  writeFileSync(prompt, before);
  await run(folder, 'flows/hostile', 'flows/hostile/data.jsonl', 'hostile');
  await run(folder, 'flows/hostile', 'many.jsonl', 'many');
}

async function run(
  folder: string,
  flow: string,
  data: string,
  name: string,
  ...more: readonly string[]
): Promise<void> {
  const { ended } = startFlow(['run', flow, '--data', data, '--name', name, '--quiet', ...more], { folder });
  const { code, stderr } = await ended;
  if (code !== 0 && code !== 1) throw new Error(`flow run ${name} ended with ${code}: ${stderr}`);
}
