import { cutText } from '@unroll/engine';
import type { UnscoredRows } from '../eval-result/eval-result.ts';

/** Characters of what was said. */
const longestSaid = 1000;

/** `3 the evaluator failed (rows 0, 1, 2/1): ValueError: no good`; rows and what was said are told of errors alone. */
export function unscoredText({ reason, count, rows = [], said }: UnscoredRows): string {
  const names = rows.map(({ line, repeat }) => (repeat === 0 ? `${line}` : `${line}/${repeat}`));
  const more = count > rows.length ? ' …' : '';
  const places = rows.length === 0 ? '' : ` (${rows.length === 1 ? 'row' : 'rows'} ${names.join(', ')}${more})`;
  const [first] = said?.split('\n') ?? [];
  return `${count.toLocaleString('en')} ${reason}${places}${first === undefined ? '' : `: ${cutText(first, longestSaid)}`}`;
}
