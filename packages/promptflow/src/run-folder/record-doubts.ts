import type { JsonObject, JsonValue, NodeRun, RowRun } from '@unroll/engine';
import { mapping, time } from './recorded-fields.ts';

/** A record of a row as it stands in the folder. */
export interface FoundRecord {
  readonly value: JsonObject;
  /** `flow_artifacts/000000000_000000000.jsonl:1` */
  readonly where: string;
}

const statuses: readonly (JsonValue | undefined)[] = ['Completed', 'Failed', 'Canceled'];

/** What Prompt flow would not have written in records of rows, and how it is taken: a sentence each, with the first place. */
export function recordDoubts(records: readonly FoundRecord[]): readonly string[] {
  const runs = records.map(({ value, where }) => ({
    where,
    line: value['line_number'],
    run: mapping(value['run_info']),
  }));
  return [
    doubt(
      'a status that there is not, and counts as failed',
      runs.filter(({ run }) => !statuses.includes(run['status'])),
    ),
    doubt(
      'no start_time that can be read',
      runs.filter(({ run }) => time(run['start_time']) === undefined),
    ),
    doubt(
      'an index that is not its line_number, which counts',
      runs.filter(({ run, line }) => (run['index'] ?? line) !== line),
    ),
  ].flat();
}

function doubt(what: string, [first, ...others]: readonly { readonly where: string }[]): readonly string[] {
  if (first === undefined) return [];
  const also = others.length === 0 ? '' : `; so it is in ${others.length} other${others.length === 1 ? '' : 's'}`;
  return [`${first.where}: the record has ${what}${also}`];
}

/** Of a row that completed Prompt flow records every node of the flow, those that were bypassed too. */
export function unrecordedNodes(
  rows: readonly RowRun[],
  byLine: ReadonlyMap<number, readonly NodeRun[]>,
  nodes: readonly (readonly [name: string, kind: string])[],
): readonly string[] {
  const lacking = rows
    .filter(({ status }) => status === 'Completed')
    .flatMap(({ line }) => {
      const recorded = new Set(byLine.get(line)?.map(({ node }) => node));
      return nodes.filter(([name]) => !recorded.has(name)).map(([name]) => ({ line, name }));
    });
  const [first, ...others] = lacking;
  if (first === undefined) return [];
  const also =
    others.length === 0 ? '' : `; so it is with ${others.length} other record${others.length === 1 ? '' : 's'}`;
  const what = `node_artifacts has no record of its node ${first.name}, which counts as not run`;
  return [`row ${first.line} is Completed, but ${what}${also}`];
}
