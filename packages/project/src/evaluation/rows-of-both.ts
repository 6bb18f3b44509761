import { allOf, type DataRow, type DataSource, eachOf, type RunReader, valueHash } from '@unroll/engine';
import { joinData } from '@unroll/evals';
import { notify, type ProjectHost } from '../host/project-host.ts';
import { countOf } from '../words/index.ts';

const maxNamed = 5;

/**
 * Lines at which a run had the inputs that the run `base` had there, as far as the flows of both have them. Where it had others, which is
 * told, its outputs are those of another question.
 */
export async function rowsOfBoth(run: RunReader, base: RunReader, host: ProjectHost): Promise<readonly number[]> {
  const lines = (await allOf(run.rowEnds())).flatMap(({ line, repeat }) => (repeat === 0 ? [line] : []));
  const [same, others]: [number[], number[]] = [[], []];
  for (const line of lines) ((await hasOthers(line, run, base)) ? others : same).push(line);
  if (others.length > 0)
    notify(host, { kind: 'warning', message: othersText(`run ${run.info.id}`, base.info.id, others) });
  return same;
}

async function hasOthers(line: number, run: RunReader, base: RunReader): Promise<boolean> {
  const { inputs = {} } = (await run.row(line)) ?? {};
  const { inputs: ofBase = {} } = (await base.row(line)) ?? {};
  return Object.keys(inputs).some(
    (name) => Object.hasOwn(ofBase, name) && valueHash(inputs[name] ?? null) !== valueHash(ofBase[name] ?? null),
  );
}

/** Rows of the data that the run `base` was run over, as scores are joined to them; of those in which it had other inputs is told. */
export async function* rowsOfData(data: DataSource, base: RunReader, host: ProjectHost): AsyncGenerator<DataRow, void> {
  const join = joinData(data.batches(), base.info, data.digest === base.info.data?.digest);
  const others: number[] = [];
  for await (const { line, repeat, inputs } of eachOf(base.rows())) {
    if (repeat !== undefined && repeat > 0) continue;
    const found = await join.columnsOf({ line, inputs });
    if ('columns' in found) yield { line, values: found.columns };
    else if (found.missing === 'other inputs than in the data') others.push(line);
  }
  if (others.length > 0) notify(host, { kind: 'warning', message: othersText('the data', base.info.id, others) });
}

function othersText(who: string, base: string, lines: readonly number[]): string {
  const named = `${lines.slice(0, maxNamed).join(', ')}${lines.length > maxNamed ? ' …' : ''}`;
  return `${who} has other inputs than run ${base} in ${countOf(lines.length, 'row')} (${named}): nothing is given there`;
}
