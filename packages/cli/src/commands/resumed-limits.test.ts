import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Budget, continueSqliteRunLog } from '@unroll/engine';
import { expect, onTestFinished, test } from 'vitest';
import { sharedRecords } from '../testing/random-runs.ts';
import {
  byPlace,
  countingAdditions,
  killedAfter,
  type WatchedFlow,
  watchedRun,
  watchedSecret,
} from '../testing/watched-run.ts';
import { writeFiles } from '../testing/write-files.ts';

/**
 * Flows whose rows end by a clock or a budget, or hold secrets, killed after each addition to their record: what is asked, recorded
 * and given is what an undisturbed run asks, records and gives. The clock is that of the test: each call of a model takes 10 s, and
 * between a kill and what goes on lies an hour.
 */
/** At places that lie equally far apart. RESUMED_KILLS=1000 for every place. */
const maxKills = Number(process.env['RESUMED_KILLS'] ?? 6);

interface Limited {
  readonly name: string;
  readonly flow: string;
  readonly files: Readonly<Record<string, string>>;
  readonly rows?: number;
  readonly rowBudget?: Budget;
  /** How many calls of a model an undisturbed run makes. */
  readonly calls: number;
  /** Of the limit that was reached. */
  readonly told?: string;
}

const begin = { 'begin.ts': 'export default ({ q }: any) => ({ finished: false, said: [q] });\n' };
const step = {
  'step.ts': 'export default ({ state, message }: any) => ({ ...state, said: [...state.said, message] });\n',
};
const loopOf = (more: string): string => `inputs: {q: {type: string}}
outputs: {o: {type: object, reference: "\${around.output}"}}
nodes:
- {name: begin, type: python, source: {type: code, path: begin.ts}, inputs: {q: "\${inputs.q}"}}
loops:
- name: around
  times: 6
  state: "\${begin.output}"${more}
  nodes:
  - {name: ask, type: llm, connection: mine, api: chat, source: {type: code, path: ask.jinja2}, inputs: {model: m, said: "\${loop.state.said}"}}
  - {name: step, type: python, source: {type: code, path: step.ts}, inputs: {state: "\${loop.state}", message: "\${ask.output}"}}
`;
const loopFiles = { ...begin, ...step, 'ask.jinja2': '# user:\n{{ said | join(", ") }}\n' };
const agentOf = (more: string): string => `inputs: {q: {type: string}}
outputs: {o: {type: object, reference: "\${helper.output}"}}
nodes:
- name: helper
  type: agent
  connection: mine
  api: chat
  source: {type: code, path: agent.jinja2}
  max_iterations: 6
  ${more}
  tools:
  - {name: add, description: Adds., code: add.ts, effects: reads, parameters: {type: object, properties: {n: {type: number}}}}
  inputs: {model: m, query: "\${inputs.q}"}
`;
const chain = `inputs: {q: {type: string}}
outputs: {o: {type: string, reference: "\${third.output}"}}
nodes:
${['first', 'second', 'third']
  .map((name, at, names) => {
    const q = at === 0 ? 'inputs.q' : `${names[at - 1]}.output`;
    return `- {name: ${name}, type: llm, connection: mine, api: chat, source: {type: code, path: ask.jinja2}, inputs: {model: m, q: "\${${q}}"}}\n`;
  })
  .join('')}`;

const limited: readonly Limited[] = [
  { name: 'seconds of a loop', flow: loopOf('\n  budget: {seconds: 25}'), files: loopFiles, calls: 3, told: '25 s' },
  { name: 'seconds of a row', flow: loopOf(''), files: loopFiles, rowBudget: { seconds: 35 }, calls: 4, told: '35 s' },
  {
    name: 'tokens of rows side by side',
    flow: loopOf(''),
    files: loopFiles,
    rows: 5,
    rowBudget: { tokens: 9 },
    calls: 11,
    told: '9 tokens',
  },
  {
    name: 'a row whose budget is spent between its nodes',
    flow: chain,
    files: { 'ask.jinja2': '# user:\n{{ q }}\n' },
    rows: 3,
    rowBudget: { tokens: 5 },
    calls: 4,
    told: 'Failed',
  },
  {
    name: 'time of an agent',
    flow: agentOf('max_time: 25'),
    files: { 'add.ts': 'export const add = ({ n }: any) => n + 1;\n', 'agent.jinja2': '# user:\n{{ query }}\n' },
    rows: 4,
    calls: 7,
    told: '25 s',
  },
  {
    name: 'seconds of an agent',
    flow: agentOf('budget: {seconds: 25}'),
    files: { 'add.ts': 'export const add = ({ n }: any) => n + 1;\n', 'agent.jinja2': '# user:\n{{ query }}\n' },
    rows: 4,
    calls: 7,
    told: '25 s',
  },
  {
    name: 'an output that holds a secret',
    flow: `inputs: {q: {type: string}}
outputs: {o: {type: string, reference: "\${last.output}"}}
nodes:
- {name: leak, type: python, source: {type: code, path: leak.ts}, inputs: {q: "\${inputs.q}", c: mine}}
- {name: ask, type: llm, connection: mine, api: chat, source: {type: code, path: ask.jinja2}, inputs: {model: m, q: "\${leak.output}"}}
- {name: last, type: llm, connection: mine, api: chat, source: {type: code, path: last.jinja2}, inputs: {model: m, q: "\${leak.output}", said: "\${ask.output}"}}
`,
    files: {
      'leak.ts': `export default ({ q }: any) => q + ' ${watchedSecret}';\n`,
      'ask.jinja2': '# user:\n{{ q }}\n',
      'last.jinja2': '# user:\n{{ q }} {{ said }}\n',
    },
    rows: 2,
    calls: 4,
  },
  {
    name: 'a prompty',
    flow: '',
    files: {
      'ask.prompty':
        '---\nname: ask\nmodel: {api: chat, configuration: {connection: mine}, parameters: {model: m}}\ninputs: {q: {type: string}}\n---\nsystem:\nBe brief.\nuser:\n{{ q }}\n',
    },
    rows: 3,
    calls: 3,
  },
  {
    name: 'a flow of a function that asks a prompty',
    flow: '',
    files: {
      'flow.flex.yaml': 'entry: main:ask\n',
      'main.py':
        'from pathlib import Path\nfrom promptflow.core import Prompty\n\ndef ask(q: str):\n    return Prompty.load(Path(__file__).parent / "ask.prompty")(q=q)\n',
      'ask.prompty':
        '---\nname: ask\nmodel: {api: chat, configuration: {connection: mine}, parameters: {model: m}}\ninputs: {q: {type: string}}\n---\nuser:\n{{ q }}\n',
    },
    rows: 3,
    calls: 0,
  },
];

test.for(limited.map((one) => [one.name, one] as const))(
  '%s: killed at any place',
  { timeout: 60_000 },
  async ([, one]) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'flow-limited-')));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const flow: Readonly<Record<string, string>> = one.flow === '' ? {} : { 'flow.dag.yaml': one.flow };
    writeFiles(folder, { ...one.files, ...flow, 'package.json': '{"type": "module"}' });
    let time = 1.7e12;
    const { rowBudget } = one;
    const rows = Array.from({ length: one.rows ?? 1 }, (_, at) => ({ q: `question ${at}` }));
    const watched: WatchedFlow = {
      ...(flow['flow.dag.yaml'] === undefined && one.files['flow.flex.yaml'] === undefined
        ? { file: 'ask.prompty' }
        : {}),
      ...{ folder, rows, repeat: 1, concurrency: rowBudget?.tokens === undefined ? 1 : 3 },
      ...(rowBudget === undefined ? {} : { rowBudget }),
      now: () => time,
      onCall: () => {
        time += 10_000;
      },
    };
    let additions = 0;
    const whole = await watchedRun(
      watched,
      'whole',
      countingAdditions(() => {
        additions += 1;
      }),
    );
    expect(whole.asked.length).toBe(one.calls);
    expect(JSON.stringify(whole.recorded)).toContain(one.told ?? '');
    expect(JSON.stringify(whole.recorded)).not.toContain(watchedSecret);
    const apart = Math.max(1, additions / maxKills);
    for (let place = 0; place < additions; place += apart) {
      const kept = Math.floor(place);
      const killed = await watchedRun(watched, `killed-${kept}`, killedAfter(kept));
      time += 3_600_000;
      const resumed = await watchedRun(watched, `killed-${kept}`, (path) => continueSqliteRunLog(path));
      const [after, before] = sharedRecords(resumed.recorded, whole.recorded);
      expect(after, `killed after ${kept}`).toEqual(before);
      const left = whole.asked.filter(({ line, repeat, node }) => !killed.finished.has(`${line}/${repeat} ${node}`));
      expect(byPlace(resumed.asked), `killed after ${kept}`).toEqual(byPlace(left));
    }
  },
);
