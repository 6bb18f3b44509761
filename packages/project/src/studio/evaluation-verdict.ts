import { causeSentence, type EvalResult, isPassed } from '@unroll/evals';
import type { RunLine, Sentence, Verdict } from '../studio-contract/contract.ts';
import { bad, count, name, sentence } from './sentences.ts';

/** A run as an evaluation scored it. */
export interface JudgedRun {
  readonly line: RunLine;
  /** Compared with the baseline. */
  readonly result: EvalResult;
  /** Compared with the first run of the page; of the first the same as `result`. */
  readonly against: EvalResult;
}

/** Which of these runs may be kept; then where each of the others went wrong first, and why. */
export function evaluationVerdict(runs: readonly JudgedRun[]): Verdict {
  return {
    answer: runs.flatMap(gateSentence),
    details: [...runs.flatMap((run, at) => wentWrong(run, at === 0 ? undefined : runs[0])), ...runs.flatMap(unscored)],
    isSoFar: false,
  };
}

/** `right meets all 6 gates.`, `guideline-first fails 4 of 6 gates: first_function, calls, faq_recall, cited.` */
function gateSentence({ line, result }: JudgedRun): readonly Sentence[] {
  const gated = result.metrics.filter(({ gate }) => gate !== undefined);
  const failed = gated.filter(({ gate }) => gate?.passed === false).map((metric) => metric.name);
  const run = name(line.name ?? line.id, { page: 'run', run: line.id });
  if (gated.length === 0) return [];
  const gates = gated.length === 1 ? 'its gate' : `all ${gated.length} gates`;
  if (failed.length === 0) return [sentence('meets', run, ` meets ${gates}. `)];
  const told = gated.length === 1 ? 'fails its gate' : `fails ${failed.length} of ${gated.length} gates`;
  return [sentence('fails', run, ' ', bad(told), `: ${failed.join(', ')}. `)];
}

/** `guideline-first got worse first at agent_1 in 91 rows (first_function). Cause: agent (prompt agent.jinja2 changed).` */
function wentWrong({ line, result, against }: JudgedRun, first: JudgedRun | undefined): readonly Sentence[] {
  const isWorse = against.metrics.some(({ comparison }) => comparison?.verdict === 'worse');
  const [group] = against.comparison?.firstWorse ?? [];
  if ((isPassed(result) && !isWorse) || group === undefined || against.comparison === undefined) return [];
  const run = name(line.name ?? line.id, { page: 'run', run: line.id });
  const at = name(group.node, { page: 'run', run: line.id, node: group.node });
  const rows = ` in ${count(group.rows, 'row')} (${group.metric}). `;
  const cause = `${causeSentence(group, against.comparison)} `;
  const why =
    first === undefined ? cause : name(cause.trimEnd(), { page: 'diff', left: first.line.id, right: line.id });
  return [sentence('worse-first', run, ' got worse first at ', at, rows, why, ' ')];
}

/** `3 rows of guideline-first have no score of faq_recall: retrieve failed.`: only what failed, not what was not expected. */
function unscored({ line, result }: JudgedRun): readonly Sentence[] {
  return result.metrics.flatMap((metric) => {
    const { errors } = metric.summary;
    if (errors === 0) return [];
    const run = name(line.name ?? line.id, { page: 'run', run: line.id });
    const reason = metric.summary.unscored.find(({ rows }) => rows !== undefined)?.reason ?? 'an error';
    const rows = bad(count(errors, 'row'));
    return [sentence('unscored', rows, ' of ', run, ' have no score of ', name(metric.name), `: ${reason}. `)];
  });
}
