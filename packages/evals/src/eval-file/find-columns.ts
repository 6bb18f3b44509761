import type { DataRow, JsonValue } from '@unroll/engine';
import { readSteps, type Step } from '../targets/target.ts';
import type { PartialEval, SliceSpec, Source } from './eval-spec.ts';

/** A column that a metric or a slice names and no row has. */
export interface MissingColumn {
  /** That names it; absent where a slice does. */
  readonly metric?: number;
  /** Where it is named in the file; absent where it is named elsewhere. */
  readonly path?: readonly (string | number)[];
  readonly text: string;
  readonly isImplied: boolean;
  /** The name that is not there. */
  readonly unknown: string;
  /** What there is in its place. */
  readonly known: readonly string[];
}

interface Wanted extends Pick<MissingColumn, 'metric' | 'path' | 'text' | 'isImplied'> {
  readonly steps: readonly Step[];
  /** How many steps lead to something in some row. */
  reached: number;
  readonly known: Set<string>;
}

/** Reads rows until each column that metrics and slices name was seen in one, and tells those that no row has. */
export async function findMissingColumns(
  { metrics, slices = [] }: Pick<PartialEval, 'metrics' | 'slices'>,
  rows: AsyncIterable<DataRow>,
): Promise<readonly MissingColumn[]> {
  let open: readonly Wanted[] = [...wantedByMetrics(metrics), ...slices.map(wantedBySlice)];
  if (open.length === 0) return [];
  for await (const row of rows) {
    if ('problem' in row) continue;
    open = open.filter((wanted) => !isIn(row.values, wanted));
    if (open.length === 0) return [];
  }
  return open.map(({ steps, reached, known, ...wanted }) => {
    const step = steps[reached];
    return { ...wanted, unknown: step?.kind === 'key' ? step.name : wanted.text, known: [...known] };
  });
}

/** Names of the columns that metrics read. */
export function columnsRead({ metrics }: Pick<PartialEval, 'metrics'>): readonly string[] {
  const names = wantedByMetrics(metrics).flatMap(({ steps: [first] }) => (first?.kind === 'key' ? [first.name] : []));
  return [...new Set(names)];
}

function wantedByMetrics(metrics: PartialEval['metrics']): readonly Wanted[] {
  return metrics.flatMap(({ place, expected, reads }) => [
    ...(expected === undefined ? [] : wantedIn(expected, place, 'expected')),
    ...Object.entries(reads).flatMap(([key, source]) => wantedIn(source, place, key)),
  ]);
}

function wantedIn(source: Source, metric: number, key: string): readonly Wanted[] {
  if (source.from === 'list') return source.members.flatMap((member) => wantedIn(member, metric, key));
  if (source.from === 'mapping') {
    return Object.values(source.members).flatMap((member) => wantedIn(member, metric, key));
  }
  if (source.from !== 'column') return [];
  const { text, isImplied } = source;
  const steps = namesIn(source.steps);
  const path = ['metrics', metric, isImplied ? 'evaluator' : key];
  return [
    { metric, path, text, isImplied, steps: isImplied ? steps.slice(0, 2) : steps, reached: 0, known: new Set() },
  ];
}

function wantedBySlice({ text, steps, path }: SliceSpec): Wanted {
  const place = path === undefined ? {} : { path };
  return { ...place, text, isImplied: false, steps: namesIn(steps), reached: 0, known: new Set() };
}

/** What lies in a list is different from row to row. */
function namesIn(steps: readonly Step[]): readonly Step[] {
  const index = steps.findIndex(({ kind }) => kind !== 'key');
  return index < 0 ? steps : steps.slice(0, index);
}

function isIn(values: JsonValue, wanted: Wanted): boolean {
  let reached = 0;
  let current: JsonValue | undefined = values;
  for (; reached < wanted.steps.length; reached += 1) {
    const next: JsonValue | undefined = readSteps(current, wanted.steps.slice(reached, reached + 1));
    if (next === undefined) break;
    current = next;
  }
  if (reached === wanted.steps.length) return true;
  if (reached > wanted.reached) {
    wanted.reached = reached;
    wanted.known.clear();
  }
  if (reached === wanted.reached && typeof current === 'object' && current !== null && !Array.isArray(current)) {
    for (const name of Object.keys(current)) wanted.known.add(name);
  }
  return false;
}
