import type { SolvedLabel } from '@unroll/evals';

const labels: readonly SolvedLabel[] = ['Solved', 'Unsure', 'Unsolved'];

/** What a judge said: `{"label": …}`, or the word itself. */
export function readLabel(written: string): SolvedLabel {
  const label = labels.find((one) => one === wordIn(written, 'label'));
  if (label === undefined)
    throw new TypeError(`a judge says Solved, Unsure or Unsolved, not ${JSON.stringify(written)}`);
  return label;
}

export function wordIn(written: string, name: string): string {
  const text = written.trim();
  if (!text.startsWith('{')) return text;
  return String((JSON.parse(text) as Readonly<Record<string, unknown>>)[name]);
}
