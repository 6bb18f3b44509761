import type { SettingsOf } from '../command-spec.ts';
import { budgetOptions } from './budget-options.ts';
import { color, otlp, runsDir, runsEngine } from './common-options.ts';
import { argument, flag, flagOff, text, texts, under } from './option-kinds.ts';
import { runSettings } from './run-options.ts';

const subject = {
  evaluation: argument('<eval>', 'an evaluation: its eval.yaml, or its folder'),
  ...under('What it scores', {
    run: text('--run <run>', 'score this run and run nothing; "latest" for the newest'),
    rows: runSettings.rows,
    sample: runSettings.sample,
    seed: runSettings.seed,
    repeat: runSettings.repeat,
  }),
};

const compared = under('What it is compared with', {
  baseline: text('--baseline <file>', 'compare with this baseline (default: baseline.json beside the eval.yaml)'),
  against: text('--against <run>', 'compare with the scores of this run in place of the baseline'),
});

const reports = under('Reports', {
  html: text('--html <file>', 'write a page that can be mailed: intervals, distributions, the flow, failing rows'),
  junit: text('--junit <file>', 'write JUnit XML, a test case a metric'),
  markdown: text('--markdown <file>', 'write Markdown for a pull request'),
  out: text('--out <folder>', 'also write eval.json there'),
});

const running = {
  ...under('What it runs with', {
    variant: runSettings.variant,
    connections: texts(
      '--connections <file or node.key=value...>',
      'connections file, or ask.connection=mine for once',
    ),
    env: runSettings.env,
    init: texts('--init <name=value...>', 'arguments of the class that is the flow, or a JSON file of them'),
  }),
  ...under('Speed and limits', {
    concurrency: runSettings.concurrency,
    limitRpm: runSettings.limitRpm,
    limitTpm: runSettings.limitTpm,
    limitCalls: runSettings.limitCalls,
    nodeTimeoutMs: runSettings.nodeTimeoutMs,
    rowTimeoutMs: runSettings.rowTimeoutMs,
  }),
  ...under('Budgets', budgetOptions),
  ...under('With what was run before', {
    since: text('--since <run>', 'take outputs from this run where nothing has changed'),
    cache: flagOff('--no-cache', 'run every node, with --since too'),
    record: text('--record <file>', 'write the model calls of the run, and of its judges, to cassettes'),
    replay: text('--replay <file>', 'answer them from cassettes, without keys or network'),
  }),
};

const others = {
  name: runSettings.name,
  json: flag('--json', 'print the result as one JSON object'),
  quiet: flag('--quiet', 'no progress'),
  otlp,
  engine: runsEngine,
  runsDir,
  color,
};

const toldApart = under('What is told apart', {
  by: texts(
    '--by <column...>',
    'the scores of each value of a column of the data (lang, expected.kind) too; wins over slices',
  ),
});

export const gateSettings = { ...subject, ...compared, ...toldApart, ...reports, ...running, ...others };

export const evalSettings = {
  ...subject,
  ...compared,
  ...toldApart,
  ...reports,
  ...under('What a node is worth', {
    oracle: texts(
      '--oracle <node>',
      'run it again with the outputs of a node given (expected.<node>); function[*], or a,b together; again for each',
    ),
    oracleSweep: flag('--oracle-sweep', 'the same for each node that has expectations: which one to fix first'),
    oracleFrom: text('--oracle-from <run>', 'with these: give what the node gave in this run'),
    metric: texts('--metric <name>', 'with these: the end score (default: those on outputs)'),
  }),
  ...running,
  ...others,
};

export const acceptSettings = {
  ...subject,
  ...running,
  baseline: text('--baseline <file>', 'write this file (default: baseline.json beside the eval.yaml)'),
  ...others,
};

export type GateSettings = SettingsOf<typeof gateSettings>;
export type EvalSettings = SettingsOf<typeof evalSettings>;
export type AcceptSettings = SettingsOf<typeof acceptSettings>;
