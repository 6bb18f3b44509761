import { existsSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { shellWord } from '@unroll/engine/values';

/** What to do with a file that is no flow, by what its name says it is. */
const byExtension: readonly (readonly [RegExp, (given: string) => string])[] = [
  [/^\.(?:jsonl|csv|tsv|parquet)$/, (given) => `It holds rows for a flow: flow run FLOW --data ${shellWord(given)}`],
  [/^\.(?:py|[cm]?[jt]s)$/, (given) => codeHelp(`${basename(given, extname(given))}:FUNCTION`)],
  [
    /^\.(?:jinja2?|j2)$/,
    (given) => `A node of a flow names it; flow render ${shellWord(given)} shows what it becomes.`,
  ],
];

/** @returns what to type, where a file is data, code or a template; undefined where it may be a flow */
export function helpForOtherFile(given: string): string | undefined {
  const extension = extname(given).toLowerCase();
  return byExtension.find(([pattern]) => pattern.test(extension))?.[1](given);
}

/** @returns what to type, where a folder holds no flow and an evaluation of one */
export function helpForOtherFolder(given: string, path: string): string | undefined {
  if (!existsSync(join(path, 'eval.yaml'))) return undefined;
  return `It holds an evaluation: flow eval ${shellWord(given)}`;
}

export function codeHelp(entry: string): string {
  return `Code is a flow through a flow.flex.yaml beside it that holds the line "entry: ${entry}".`;
}
