import { type ChangeKind, changeKinds } from '@unroll/evals/attribution';
import { ProjectFailure } from '@unroll/project/project-failure';
import { parseRowName } from '@unroll/project/row-name';
import type { SettingsOf } from '../command-spec.ts';
import { color, json, runsDir, runsEngine } from './common-options.ts';
import {
  argument,
  choice,
  flag,
  optionalArgument,
  parsedText,
  parsedTexts,
  restOfArguments,
  text,
  textOrNone,
  wholeNumber,
} from './option-kinds.ts';
import { runSettings } from './run-options.ts';

const newestRun = optionalArgument('[run]', 'id of a run, the start of one, or a .run file (default: the newest)');
const row = text('--row <n>', 'row, from 0; 3/1 for the second time it was run (default: the first)');

export const showSettings = {
  run: optionalArgument('[run]', 'id of a run, the start of one, or a .run file'),
  row: parsedText('--row <n>', 'row to show, from 0; 12/2 for its third repetition', (given, name) => {
    const place = parseRowName(given);
    if (place !== undefined) return place;
    throw new ProjectFailure(`${name} takes a whole number from 0, not "${given}"`);
  }),
  node: text('--node <name>', 'everything recorded of one node; agent[*] for a family'),
  json: flag('--json', 'print JSON, in the shape of flow run --json'),
  engine: runsEngine,
  runsDir,
  color,
};

export const diffSettings = {
  a: optionalArgument(
    '[a]',
    'id of a run, the start of one, or a .run file (default: the run of the same flow before B)',
  ),
  b: optionalArgument('[b]', 'the run to compare with it (default: the newest)'),
  key: text('--key <name>', 'pair rows by this input, or column of the data (default: by what went in, then by line)'),
  renames: parsedTexts('--rename <old=new>', 'a node or family that B calls otherwise; again for each', readRenames),
  node: text('--node <name>', 'this node only, for instance agent_2'),
  family: text('--family <name>', "all instances of a loop's node, for instance agent"),
  only: parsedText('--only <kind>', 'changes of one kind: cause, effect, noise, input or unknown', readKinds),
  byIteration: flag('--by-iteration', "instances of a loop's node one by one"),
  rows: wholeNumber('--rows <n>', 'differing rows to show (default: 5; 50 with --html)', 0),
  limit: wholeNumber('--limit <n>', 'places to show of one value (default: 12; 200 with --html)', 1),
  json: flag('--json', 'print one JSON object'),
  format: choice('--format <form>', 'how to print', ['text', 'markdown']),
  html: text('--html <file>', 'write a page that can be mailed; prints the verdict'),
  failsOnDifference: flag('--exit-code', 'exit with 1 when the runs differ'),
  engine: runsEngine,
  runsDir,
  color,
};

export const whySettings = {
  run: newestRun,
  node: text('--node <name>', 'the node, or agent[*] for a family'),
  row,
  against: text('--against <run>', 'compare with this run (default: the one --since named)'),
  json,
  engine: runsEngine,
  runsDir,
  color,
};

export const traceSettings = {
  run: newestRun,
  row,
  format: text('--format <format>', 'bedrock, which is the only one'),
  engine: runsEngine,
  runsDir,
};

export const exportSettings = {
  run: optionalArgument('[run]', 'id of a run, the start of one, or a .run file; without it, the newest'),
  format: choice('--format <format>', "jsonl, csv or parquet (default: the file's extension, or jsonl)", [
    'jsonl',
    'csv',
    'parquet',
  ]),
  out: text('-o, --out <file>', 'write there instead of printing'),
  nodes: flag('--nodes', "the nodes' records instead of the rows"),
  dataColumns: flag('--data-columns', 'columns of the data that are no inputs too, as data.<name>'),
  bom: flag('--bom', 'a byte order mark before CSV: Excel then reads Japanese as it is'),
  raw: flag('--raw', 'texts in CSV as they are, also those that a spreadsheet takes for formulas'),
  quiet: flag('--quiet', 'print nothing but rows and what went wrong'),
  engine: runsEngine,
  runsDir,
};

export const importRunSettings = {
  folder: argument('<folder>', 'the run folder: it holds flow_artifacts and node_artifacts'),
  name: text('--name <name>', 'what the run is called (default: its own name)'),
  json,
  runsDir,
};

export const paritySettings = {
  flow: argument('<flow>', 'a flow: its folder, or its flow.dag.yaml'),
  run: argument('<run>', 'id of a run, the start of one, or a .run file'),
  rows: wholeNumber('--rows <n>', 'tell so many differing rows in full (default: 5)', 0),
  concurrency: runSettings.concurrency,
  connections: { ...runSettings.connections, about: 'as for flow run' },
  variant: text('--variant <node.variant>', "one node's variant"),
  json,
  quiet: flag('--quiet', 'no progress'),
  engine: runsEngine,
  runsDir,
  color,
};

export const runsSettings = {
  action: restOfArguments(
    '[action run...]',
    'removes runs (rm), reads all of their records (check), or says something of one (tag, untag, name, note)',
  ),
  number: wholeNumber('-n, --number <n>', 'how many at most (default: 20)', 1),
  tag: text('--tag <tag>', 'only runs that have this tag'),
  engine: textOrNone('--engine <address>', 'those of this PostgreSQL instead: postgres://… (docs/engine.md)'),
  json,
  runsDir,
  color,
};

export const pricesSettings = {
  action: optionalArgument('[update]', 'puts the list of --file in force'),
  file: text('--file <file>', 'with update: a JSON file of prices (docs/guide/budgets.md)'),
  user: flag('--user', 'with update: in the home folder, not in that of the project'),
  json,
  color,
};

/** Milliseconds. */
export const olderThan = parsedText('--older-than <age>', 'runs older than this: 30d, 12h', (given, name) =>
  readAmount(given, name, { d: 86_400_000, h: 3_600_000, m: 60_000 }, '30d, 12h'),
);

export const gcSettings = {
  olderThanMs: olderThan,
  keep: wholeNumber('--keep <n>', 'all but the newest so many', 0),
  maxBytes: parsedText('--max-size <size>', 'the oldest, until the rest is no larger: 500MB, 2GB', (given, name) =>
    readAmount(given, name, { kb: 1e3, mb: 1e6, gb: 1e9 }, '500MB, 2GB'),
  ),
  yes: flag('--yes', 'remove them'),
  json,
  runsDir,
  color,
};

export type ShowSettings = SettingsOf<typeof showSettings>;
export type DiffSettings = SettingsOf<typeof diffSettings>;
export type WhySettings = SettingsOf<typeof whySettings>;
export type TraceSettings = SettingsOf<typeof traceSettings>;
export type ExportSettings = SettingsOf<typeof exportSettings>;
export type ImportRunSettings = SettingsOf<typeof importRunSettings>;
export type ParitySettings = SettingsOf<typeof paritySettings>;
export type RunsSettings = SettingsOf<typeof runsSettings>;
export type PricesSettings = SettingsOf<typeof pricesSettings>;
export type GcSettings = SettingsOf<typeof gcSettings>;

function readRenames(given: readonly string[], flag: string): ReadonlyMap<string, string> {
  return new Map(
    given.map((pair) => {
      const [, old, name] = /^([^=]+)=([^=]+)$/.exec(pair) ?? [];
      if (old === undefined || name === undefined) throw new ProjectFailure(`${flag} takes old=new, not "${pair}"`);
      return [old, name];
    }),
  );
}

/** `cause` stands for `both` as well: there, too, the definition changed. */
function readKinds(given: string, name: string): readonly ChangeKind[] {
  const kind = changeKinds.find((known) => known === given);
  if (kind === undefined) throw new ProjectFailure(`${name} takes ${changeKinds.join(', ')}, not "${given}"`);
  return kind === 'cause' ? ['cause', 'both'] : [kind];
}

function readAmount(given: string, name: string, units: Readonly<Record<string, number>>, example: string): number {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/i.exec(given) ?? [];
  const factor = units[unit.toLowerCase()];
  if (digits !== undefined && factor !== undefined) return Number(digits) * factor;
  throw new ProjectFailure(`${name} takes an amount such as ${example}, not "${given}"`);
}
