import { changeText, type EvalResult, isPassed, signedText } from '@unroll/evals';
import type { RowIndex } from '../row-index/row-index.ts';
import type { RunLine, Sentence, Verdict } from '../studio-contract/contract.ts';
import { formatCount } from '../words/index.ts';
import { scoreFigure } from './figures.ts';
import { bad, count, figure, name, sentence } from './sentences.ts';

/** What a run says of itself: each sentence from one rule, and none where the data does not carry it. */
export function runVerdict(run: RunLine, index: RowIndex | undefined, result: EvalResult | undefined): Verdict {
  const of = { run, index, result };
  return {
    answer: [...gates(of), ...failedRows(of), ...firstWrong(of), ...allWell(of)],
    details: [...lostScores(of), ...turns(of), ...dearest(of), ...slowest(of)],
    isSoFar: run.status === 'Running',
  };
}

interface Subject {
  readonly run: RunLine;
  readonly index: RowIndex | undefined;
  readonly result: EvalResult | undefined;
}

/** `4 of 6 gates fail.` */
function gates({ result }: Subject): readonly Sentence[] {
  const gated = (result?.metrics ?? []).flatMap(({ gate }) => gate ?? []);
  const failed = gated.filter(({ passed }) => !passed).length;
  if (gated.length === 0) return [];
  if (failed === 0)
    return [sentence('gates-met', gated.length === 1 ? 'The gate is met. ' : `All ${gated.length} gates are met. `)];
  const told = gated.length === 1 ? 'The gate fails.' : `${failed} of ${gated.length} gates fail.`;
  return [sentence('gates', bad(told), ' ')];
}

/** `2 rows failed at function_1: TypeError: index shard 3 cannot be read.` */
function failedRows({ run, index }: Subject): readonly Sentence[] {
  const failed = run.failed.value ?? 0;
  if (failed === 0) return [];
  const link = bad(`${count(failed, 'row')} failed`, {
    page: 'run',
    run: run.id,
    filters: [{ by: 'status', is: 'Failed' }],
  });
  const [first, ...others] = index?.failures ?? [];
  if (first === undefined) return [sentence('failed-rows', link, '. ')];
  const at = first.node === undefined ? [] : [' at ', name(first.node, { page: 'run', run: run.id, node: first.node })];
  const more = others.length === 0 ? '' : ` (and for ${count(others.length, 'other reason')})`;
  const [line = ''] = first.message.split('\n');
  return [sentence('failed-rows', link, ...at, `: ${first.code}: ${line}${more}. `)];
}

/** `93 of 96 rows went wrong first at agent_1 (first_function), whose prompt agent.jinja2 changed.` */
function firstWrong({ run, result }: Subject): readonly Sentence[] {
  const [group] = result?.firstBad ?? [];
  if (result === undefined || group === undefined || group.kind === 'failed') return [];
  const worse = result.metrics.some(({ comparison }) => comparison?.verdict === 'worse');
  if (isPassed(result) && !worse) return [];
  const to = { page: 'run' as const, run: run.id, filters: [{ by: 'first-bad' as const, node: group.node }] };
  const rows = figure(`${formatCount(group.rows)} of ${count(result.rows.total, 'row')}`, to);
  const where = [
    ' went wrong first at ',
    name(group.node, { page: 'run', run: run.id, node: group.node }),
    ` (${group.kind})`,
  ];
  const change = changeBehind(group.node, result);
  if (change === undefined) return [sentence('first-wrong', rows, ...where, '. ')];
  const [before, after] = [result.baseline?.id, run.id];
  const link =
    before === undefined
      ? name(change.what)
      : name(change.what, { page: 'diff', left: before, right: after, node: change.node });
  const whose = change.isOwn ? ', whose ' : `; before it, of ${change.node}, `;
  return [sentence('first-wrong-cause', rows, ...where, whose, link, '. ')];
}

/** The change of a definition that the comparison blames for rows that got worse at this node; undefined where it blames none, or several. */
function changeBehind(
  node: string,
  { comparison }: EvalResult,
): { readonly node: string; readonly what: string; readonly isOwn: boolean } | undefined {
  const group = comparison?.firstWorse.find((one) => one.node === node || one.node === node.replace(/_\d+$/, ''));
  const [cause, ...others] = group?.causes ?? [];
  const change = comparison?.changes?.find((one) => one.node === cause);
  if (cause === undefined || others.length > 0 || change === undefined) return undefined;
  const isOwn = cause === node || cause === node.replace(/_\d+$/, '') || cause === node.replace(/\[\*\]$/, '');
  return { node: cause, what: changeText(change), isOwn };
}

/** `All 96 rows completed.`: only where nothing else is to be said. */
function allWell({ run, result, index }: Subject): readonly Sentence[] {
  const rows = run.rows.value ?? 0;
  if (result !== undefined || (run.failed.value ?? 0) > 0 || index === undefined || rows === 0) return [];
  if (run.status === 'Running') return [];
  if (run.status === 'Canceled') return [sentence('stopped', `Stopped after ${told(run)}. `)];
  return [sentence('all-completed', rows === 1 ? 'The row completed. ' : `All ${formatCount(rows)} rows completed. `)];
}

function told({ rows, total }: RunLine): string {
  return total === undefined ? count(rows.value ?? 0, 'row') : `${rows.text} of ${count(total, 'row')}`;
}

/** `cited is worse (−19.7 points): 19 rows broke, 4 were fixed.` One for each metric that is worse, of pass metrics the most broken first. */
function lostScores({ run, result }: Subject): readonly Sentence[] {
  const worse = (result?.metrics ?? []).filter(({ comparison }) => comparison?.verdict === 'worse');
  const sorted = worse.toSorted((one, other) => broken(other) - broken(one));
  return sorted.slice(0, 3).map((metric) => {
    const { comparison, name: metricName } = metric;
    const difference = signedText(comparison?.difference ?? 0, metric);
    const flips = comparison?.flips;
    const filters = [
      { by: 'score' as const, metric: metricName, is: flips === undefined ? ('worse' as const) : ('broken' as const) },
    ];
    const rows =
      flips === undefined
        ? ''
        : `: ${count(flips.broken, 'row')} broke, ${flips.fixed} ${flips.fixed === 1 ? 'was' : 'were'} fixed`;
    return sentence(
      'worse',
      name(metricName, { page: 'run', run: run.id, filters }),
      ` is worse (${difference})${rows}. `,
    );
  });
}

function broken({ comparison }: EvalResult['metrics'][number]): number {
  return comparison?.flips?.broken ?? 0;
}

/** `search ended after turn 1 in 3 rows, 2 in 41, 3 in 52; never in 0.` */
function turns({ index, run }: Subject): readonly Sentence[] {
  return [...(index?.loops ?? [])].flatMap(([loop, { times, ran, ended }]) => {
    const { ends, never } = endsOf(times, ran, ended);
    if (ends.every((rows) => rows === 0)) return [];
    const parts = ends.map((rows, turn) => `${turn + 1} in ${turn === 0 ? count(rows, 'row') : formatCount(rows)}`);
    const unended = never === 0 ? '' : `; never in ${formatCount(never)}`;
    return [
      sentence(
        'turns',
        name(loop, { page: 'run', run: run.id, node: loop }),
        ` ended after turn ${parts.join(', ')}${unended}. `,
      ),
    ];
  });
}

/** Rows that ended after each turn, and those that never did. */
function endsOf(
  times: number,
  ran: Uint8Array,
  ended: Uint8Array,
): { readonly ends: readonly number[]; readonly never: number } {
  const ends = Array.from({ length: times }, () => 0);
  let never = 0;
  for (const [at, turn] of ran.entries()) {
    if (ended[at] !== 1) never += 1;
    else if (turn > 0) ends[turn - 1] = (ends[turn - 1] ?? 0) + 1;
  }
  return { ends, never };
}

/** `agent_1 costs most: $0.12 of $0.31.` Told where more than one node costs something. */
function dearest({ index, run }: Subject): readonly Sentence[] {
  const dear = [...(index?.nodes ?? [])]
    .filter(([, { cost = 0 }]) => cost > 0)
    .toSorted(([, one], [, other]) => (other.cost ?? 0) - (one.cost ?? 0));
  const [first] = dear;
  if (first === undefined || dear.length < 2) return [];
  const own = scoreFigure(first[1].cost, { unit: 'USD' }).text;
  return [
    sentence(
      'dearest',
      name(first[0], { page: 'run', run: run.id, node: first[0] }),
      ' costs most: ',
      figure(own),
      ` of ${run.cost.text}. `,
    ),
  ];
}

/** `function_2 takes longest: 20 ms for half of the rows.` Told where it takes twice as long as any other node. */
function slowest({ index, run }: Subject): readonly Sentence[] {
  const timed = [...(index?.nodes ?? [])].flatMap(([node, { medianMs }]) =>
    medianMs === undefined ? [] : [{ node, medianMs }],
  );
  const [first, second] = timed.toSorted((one, other) => other.medianMs - one.medianMs);
  if (first === undefined || second === undefined || first.medianMs < 2 * second.medianMs || first.medianMs < 1)
    return [];
  const text = scoreFigure(first.medianMs, { unit: 'ms' }).text;
  return [
    sentence(
      'slowest',
      name(first.node, { page: 'run', run: run.id, node: first.node }),
      ` takes longest: half of its calls take more than `,
      figure(text),
      '. ',
    ),
  ];
}
