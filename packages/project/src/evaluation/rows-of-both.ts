import { allOf, type RunReader, valueHash } from '@unroll/engine';
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
  if (others.length > 0) notify(host, { kind: 'warning', message: othersText(run.info.id, base.info.id, others) });
  return same;
}

async function hasOthers(line: number, run: RunReader, base: RunReader): Promise<boolean> {
  const { inputs = {} } = (await run.row(line)) ?? {};
  const { inputs: ofBase = {} } = (await base.row(line)) ?? {};
  return Object.keys(inputs).some(
    (name) => Object.hasOwn(ofBase, name) && valueHash(inputs[name] ?? null) !== valueHash(ofBase[name] ?? null),
  );
}

function othersText(run: string, base: string, lines: readonly number[]): string {
  const named = `${lines.slice(0, maxNamed).join(', ')}${lines.length > maxNamed ? ' …' : ''}`;
  return `run ${run} has other inputs than run ${base} in ${countOf(lines.length, 'row')} (${named}): nothing is given there`;
}
