import { ProjectFailure } from '@unroll/project/project-failure';
import { type ArgumentSpec, isOption, type OptionSpec } from '../command-spec.ts';
import { type RunSettings, runSettings } from './run-options.ts';

/** What one `flow run` can be. Each of the last four is a run over data. */
export type RunKind = 'row' | 'node' | 'rows' | 'rows on workers' | 'resumed' | 'resumed on workers';

/** What an option is for, and how to come to it. */
interface Purpose {
  readonly kinds: readonly RunKind[];
  readonly words: string;
  readonly help?: string;
}

const oneRow: Purpose = { kinds: ['row', 'node'], words: 'one row, and --data, --run and --resume are for many' };
const input: Purpose = { ...oneRow, help: 'For the same value in every row: --column-mapping name=value' };
const oneNode: Purpose = { kinds: ['node'], words: 'one node: --node' };
const overData: Purpose = {
  kinds: ['rows', 'rows on workers', 'resumed', 'resumed on workers'],
  words: 'a run over data: --data or --run',
};
const newOverData: Purpose = { kinds: ['rows', 'rows on workers'], words: 'a new run over data: --data or --run' };
const onWorkers: Purpose = {
  kinds: ['rows on workers', 'resumed on workers'],
  words: 'a run over data on workers: --data, and --engine or FLOW_ENGINE',
};
const newOnWorkers: Purpose = { ...onWorkers, kinds: ['rows on workers'] };
const resumedHere: Purpose = { kinds: ['resumed'], words: 'a run that goes on in process: --resume' };
const begun: Purpose = {
  kinds: ['row', 'node', 'rows', 'rows on workers'],
  words: 'a run that begins, without --resume',
};
const notResumedThere: Purpose = {
  kinds: [...begun.kinds, 'resumed'],
  words: 'a run in process, or one that begins: on workers a run goes on as it was begun',
};

/** Options that mean nothing to some kinds of run; the others mean something to all. */
const purposes: { readonly [Name in keyof RunSettings]?: Purpose } = {
  input,
  inputs: input,
  node: oneRow,
  from: oneNode,
  variant: begun,
  env: notResumedThere,
  init: notResumedThere,
  environmentVariables: notResumedThere,
  columnMapping: newOverData,
  dataFormat: newOverData,
  encoding: newOverData,
  rows: newOverData,
  sample: newOverData,
  seed: newOverData,
  repeat: newOverData,
  run: newOverData,
  name: begun,
  file: begun,
  since: begun,
  concurrency: overData,
  rowTimeoutMs: overData,
  allowFailures: overData,
  quiet: overData,
  cache: notResumedThere,
  record: notResumedThere,
  recordMode: notResumedThere,
  replay: notResumedThere,
  connections: begun,
  data: notResumedThere,
  force: resumedHere,
  engine: onWorkers,
  detach: onWorkers,
  durableNodes: newOnWorkers,
};

/** @throws ProjectFailure that names every option that is given and means nothing to a run of this kind */
export function refuseOptionsOfOthers(kind: RunKind, settings: RunSettings): void {
  const refusals = Object.entries(purposes).flatMap(([name, { kinds, words, help }]) => {
    const option = name as keyof RunSettings;
    if (kinds.includes(kind) || !isGiven(settings[option], runSettings[option])) return [];
    return [{ message: `${longFlag(runSettings[option])} is for ${words}`, help }];
  });
  if (refusals.length === 0) return;
  const help = [...new Set(refusals.flatMap(({ help }) => help ?? []))].join('\n');
  throw new ProjectFailure(refusals.map(({ message }) => message).join('\n'), { help: help === '' ? undefined : help });
}

/** A list that is empty, a switch as it stands without it: what the schema makes of nothing was not given. `--engine ''` names none. */
function isGiven(value: unknown, { schema }: ArgumentSpec | OptionSpec): boolean {
  return value !== '' && JSON.stringify(value) !== JSON.stringify(schema().parse(undefined));
}

/** `--data` of `-d, --data <file>`, `--cache` not: what is given is `--no-cache`. */
function longFlag(option: ArgumentSpec | OptionSpec): string {
  return isOption(option) ? (/--[a-z-]+/.exec(option.flags)?.[0] ?? option.flags) : option.name;
}
