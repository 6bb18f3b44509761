import type { JsonObject, JsonValue } from '@unroll/engine';
import { type DataEncoding, dataEncodings, encodingNamed } from '@unroll/engine/data-encoding';
import { dataFormats } from '@unroll/engine/data-format';
import type { Limit } from '@unroll/project';
import { ProjectFailure } from '@unroll/project/project-failure';
import type { SettingsOf } from '../command-spec.ts';
import { budgetOptions } from './budget-options.ts';
import { color, connections, engine, flow, otlp, runsDir } from './common-options.ts';
import {
  choice,
  flag,
  flagOff,
  oneOf,
  optionalArgument,
  parsedText,
  parsedTexts,
  seconds,
  text,
  texts,
  under,
  wholeNumber,
} from './option-kinds.ts';
import { withoutQuotes } from './without-quotes.ts';

export const runSettings = {
  flow: optionalArgument('[flow]', flow.about),
  ...under('On one set of inputs', {
    input: texts('-i, --input <name=value>', 'an input; name=@file reads a file; again for each'),
    inputs: text('--inputs <file>', 'inputs from a JSON file, or the first line of a JSONL file'),
    node: text('--node <name>', 'run this node alone; inputs are those of the node'),
    from: text('--from <run>', 'with --node: take inputs from a recorded run'),
  }),
  ...under('On the rows of a dataset', {
    data: text(
      '--data <file>',
      'run on every row: a file (jsonl, json, csv, tsv, parquet), a folder, - for jsonl, or a run',
    ),
    columnMapping: parsedTexts(
      '--column-mapping <name=value...>',
      'where inputs come from: name=${data.column}',
      readMapping,
    ),
    run: text('--run <run>', 'an earlier run: ${run.outputs.name}, ${run.inputs.name} in the mapping'),
    dataFormat: oneOf(
      '--data-format <format>',
      "jsonl, json, csv, tsv or parquet, in place of the file's extension",
      dataFormats,
    ),
    encoding: parsedText(
      '--encoding <name>',
      'utf-8, utf-16le, utf-16be or cp932, where it is not found out rightly',
      readEncoding,
    ),
    rows: text('--rows <lines>', 'only these lines of the data, from 0: 0-9,15'),
    sample: wholeNumber('--sample <n>', 'so many rows at random, the same ones for the same seed', 1),
    seed: wholeNumber('--seed <n>', 'for --sample (default: 0)', 0),
    repeat: wholeNumber('--repeat <n>', 'run each row so often (default: 1)', 1),
    file: text('--file <run.yaml>', 'a run as Prompt flow writes it down: flow, data, column_mapping …'),
  }),
  ...under('What it runs with', {
    variant: text('--variant <node.variant>', "one node's variant, for instance ask.variant_1"),
    connections,
    env: texts('--env <name=value...>', 'environment variables of the nodes, or .env files'),
    environmentVariables: texts('--environment-variables <name=value...>', 'the same, by its name in Prompt flow'),
    init: texts(
      '--init <name=value...>',
      'arguments of the class that is the flow (flow.flex.yaml): values, which may be JSON, or a JSON file of them',
    ),
  }),
  ...under('Speed and limits', {
    concurrency: wholeNumber('--concurrency <n>', 'rows at the same time (default: PF_WORKER_COUNT, or 8)', 1),
    limitRpm: parsedTexts('--limit-rpm <n>', 'requests a minute for each connection, or mine=600', readLimit),
    limitTpm: parsedTexts('--limit-tpm <n>', 'tokens a minute for each connection, or mine=90000', readLimit),
    limitCalls: parsedTexts('--limit-calls <n>', 'calls at a time of each connection, or mine=8', readLimit),
    nodeTimeoutMs: seconds('--timeout <seconds>', 'time limit of each node that has none of its own'),
    rowTimeoutMs: seconds('--row-timeout <seconds>', 'time limit of each row (default: PF_LINE_TIMEOUT_SEC, or 600)'),
    durable: flag('--durable', 'wait for the disk at every commit: records outlive a crash of the machine too'),
  }),
  ...under('Budgets', budgetOptions),
  ...under('With what was run before', {
    since: text('--since <run>', 'take outputs from this run where nothing has changed (docs/guide/changed-only.md)'),
    cache: flagOff('--no-cache', 'run every node, with --since or a resumed run too'),
    record: text(
      '--record <file>',
      'write the model calls of this run to a cassette; those on it are answered from it',
    ),
    recordMode: choice('--record-mode <mode>', 'new: only calls not on it yet (default); all: every call again', [
      'new',
      'all',
    ]),
    replay: text('--replay <file>', 'answer model calls from a cassette, without keys or network'),
    resume: text('--resume <run>', 'go on with a run that was stopped'),
    retryFailed: text('--retry-failed <run>', 'run the rows of a run again that failed'),
    force: flag('--force', 'with these: though the flow or the data changed'),
  }),
  ...under('On workers', {
    engine,
    detach: flag('--detach', 'with --engine: hand the run over, print its name and leave it to the workers'),
    durableNodes: flag('--durable-nodes', 'with --engine: a node begins once what it reads is recorded'),
  }),
  name: text('--name <name>', 'what the run is called (default: time, flow and four letters)'),
  json: flag('--json', 'print one JSON object; with --data a line for each row, then one for the run'),
  outputDir: text('--output-dir <folder>', 'also write outputs.json and run.json there'),
  quiet: flag('--quiet', 'print nothing but the name of the run'),
  allowFailures: flag('--allow-failures', 'exit 0 though rows failed'),
  otlp,
  runsDir,
  color,
};

export type RunSettings = SettingsOf<typeof runSettings>;

/** Those of `flow run` that decide what is run on which rows. */
export const planSettings = {
  flow,
  variant: runSettings.variant,
  connections: runSettings.connections,
  env: runSettings.env,
  init: runSettings.init,
  environmentVariables: runSettings.environmentVariables,
  data: runSettings.data,
  columnMapping: runSettings.columnMapping,
  run: runSettings.run,
  dataFormat: runSettings.dataFormat,
  encoding: runSettings.encoding,
  rows: runSettings.rows,
  sample: runSettings.sample,
  seed: runSettings.seed,
  repeat: runSettings.repeat,
  file: runSettings.file,
  since: runSettings.since,
  runsDir,
  json: flag('--json', 'print one JSON object'),
  color,
};

export type PlanSettings = SettingsOf<typeof planSettings>;

/** `answer=${run.outputs.answer}`, or a literal. */
function readMapping(pairs: readonly string[], name: string): JsonObject {
  return Object.fromEntries(
    pairs.map((pair): readonly [string, JsonValue] => {
      const at = pair.indexOf('=');
      if (at > 0) return [pair.slice(0, at), withoutQuotes(pair.slice(at + 1))];
      throw new ProjectFailure(`${name} takes name=value, not "${pair}"`, {
        help: "For instance: --column-mapping question='${data.query}' answer='${run.outputs.answer}'",
      });
    }),
  );
}

function readEncoding(given: string, name: string): DataEncoding {
  const found = encodingNamed(given);
  if (found !== undefined) return found;
  throw new ProjectFailure(`${name} takes ${dataEncodings.join(', ')}, not "${given}"`);
}

/** `600` for every connection, `mine=600` for one. */
function readLimit(given: readonly string[], flag: string): Limit {
  const byConnection: Record<string, number> = {};
  let each: number | undefined;
  for (const written of given) {
    const [, name, digits = ''] = /^(?:(.+)=)?(\d+)$/.exec(written) ?? [];
    const limit = Number(digits);
    if (limit < 1) {
      throw new ProjectFailure(`${flag} takes a number from 1, or connection=number, not "${written}"`);
    }
    if (name === undefined) each = limit;
    else byConnection[name] = limit;
  }
  return { byConnection, ...(each === undefined ? {} : { each }) };
}
