import { wilsonInterval } from '@unroll/evals';
import { notInSample } from './mutant-sample.ts';

/** What is read of a report of StrykerJS (its format is mutation-testing-report-schema). */
export interface MutationReport {
  readonly files: Readonly<Record<string, { readonly mutants: readonly ReportedMutant[] }>>;
}

export interface ReportedMutant {
  readonly status: string;
  readonly statusReason?: string;
}

export interface MutationScore {
  /** Changes whose tests were run, or that no test runs through. */
  readonly tried: number;
  readonly killed: number;
  /** Of the killed: changes whose tests did not end. */
  readonly timedOut: number;
  /** Of those that are not killed: changes in what no test runs through. */
  readonly uncovered: number;
  /** Left out: changes in what runs only while modules load. */
  readonly atLoad: number;
  /** Left out: changes that the sample did not take. */
  readonly unsampled: number;
}

export function mutationScore(report: MutationReport): MutationScore {
  const mutants = Object.values(report.files).flatMap((file) => file.mutants);
  const count = (...statuses: readonly string[]): number =>
    mutants.filter(({ status }) => statuses.includes(status)).length;
  const killed = count('Killed', 'Timeout', 'RuntimeError');
  return {
    tried: killed + count('Survived', 'NoCoverage'),
    killed,
    timedOut: count('Timeout'),
    uncovered: count('NoCoverage'),
    atLoad: count('Ignored'),
    unsampled: mutants.filter(({ statusReason }) => statusReason === notInSample).length,
  };
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** One line; of a sample with Wilson's interval (95 %). */
export function scoreText(folder: string, score: MutationScore): string {
  const { tried, killed, timedOut, uncovered, atLoad, unsampled } = score;
  if (tried === 0) return `${folder}: nothing to change`;
  const { low, high } = wilsonInterval(killed / tried, tried);
  const interval = unsampled === 0 ? '' : ` [${percent(low)}, ${percent(high)}]`;
  const all = unsampled === 0 ? '' : ` of ${tried + unsampled}`;
  return (
    `${folder}: ${percent(killed / tried)}${interval}; tried ${tried}${all}, killed ${killed} (${timedOut} by time), ` +
    `survived ${tried - killed} (${uncovered} in what no test runs through); left out ${atLoad} at load`
  );
}
