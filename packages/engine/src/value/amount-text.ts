/** A time for people: `3 ms`, `1.24 s`, `2 min 5 s`. */
export function durationText(ms: number): string {
  if (ms < 999.5) return `${ms < 1 ? '<1' : Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(ms < 9_995 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** More digits than these no fraction is given. */
const mostDigits = 20;

/** US dollars: `$12.34`, below a dollar three digits that count: `$0.25`, `$0.0421`, `$0.000000114`; never 0 for what is not. */
export function dollarsText(dollars: number): string {
  const size = Math.abs(dollars);
  const digits = size === 0 || size >= 1 ? 2 : Math.min(mostDigits, 2 - Math.floor(Math.log10(size)));
  const text = size.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: digits });
  return `${dollars < 0 ? '-' : ''}$${text}`;
}
