import { addUsage, dollarsText, type NodeRun, type Usage, type UsageDetails } from '@unroll/engine';

/** A time for people: `3 ms`, `1.24 s`, `2 min 5 s`. */
export { durationText as formatDuration } from '@unroll/engine';

export function formatCount(count: number): string {
  return count.toLocaleString('en');
}

/** `1 row`, `1,204 rows`. */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** What a search scores less than is as good as nothing. */
const leastScore = 0.001;

export function isNextToNothing(score: number): boolean {
  return score > 0 && score < leastScore;
}

/** A score of a search, three digits of it and never a power of ten: `12.3`, `0.0164`, `<0.001`. */
export function formatScore(score: number): string {
  if (isNextToNothing(score)) return `<${leastScore}`;
  return score.toLocaleString('en', { minimumSignificantDigits: 3, maximumSignificantDigits: 3 });
}

/** `34.2/s`, `1,204/s`, `0.05/s`. */
export function formatRate(perSecond: number): string {
  const digits = perSecond < 1 ? 2 : perSecond < 100 ? 1 : 0;
  return `${perSecond.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })}/s`;
}

/** US dollars: `$12.34`, `$0.0042`; `$12.34 (partial)` when it is not all. */
export function formatCost(dollars: number, isPartial: boolean): string {
  return `${dollarsText(dollars)}${isPartial ? ' (partial)' : ''}`;
}

/** A time to wait, without false precision: `8 s`, `4 min`, `2 h 5 min`. */
export function formatLeft(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** How long ago: `12 s`, `5 min`, `3 h`, `9 days`. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  const days = Math.floor(seconds / 86_400);
  return days === 1 ? '1 day' : `${days} days`;
}

/** A size in bytes: `812 B`, `4.2 MB`. */
export function formatSize(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${units[power]}`;
}

/** Time gone by, to the second: `0:07`, `12:05`, `1:02:03`. */
export function formatClock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (number: number): string => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** `1,204 tokens`, with what is known of them: `1,204 tokens (900 cached, 64 reasoning)`. */
export function formatTokens(usage: Usage | undefined): string {
  if (usage === undefined) return '';
  const parts = detailTexts(usage);
  const tokens = `${formatCount(usage.totalTokens)} tokens`;
  return parts.length === 0 ? tokens : `${tokens} (${parts.join(', ')})`;
}

/** What some of the tokens were, as far as services told it. */
function detailTexts({ details = {}, untoldCalls = 0 }: Usage): readonly string[] {
  const parts = Object.entries(detailNames).flatMap(([name, text]) => {
    const count = details[name as keyof UsageDetails] ?? 0;
    return count === 0 ? [] : [`${formatCount(count)} ${text}`];
  });
  const untold = `${untoldCalls === 1 ? '1 call' : `${formatCount(untoldCalls)} calls`} told none`;
  return untoldCalls === 0 ? parts : [...parts, untold];
}

const detailNames: Readonly<Record<keyof UsageDetails, string>> = {
  cachedTokens: 'cached',
  cacheWriteTokens: 'written to the cache',
  audioPromptTokens: 'audio heard',
  reasoningTokens: 'reasoning',
  audioCompletionTokens: 'audio spoken',
  acceptedPredictionTokens: 'foretold',
  rejectedPredictionTokens: 'foretold wrongly',
};

/** Tokens of several nodes together; undefined where none called a model. */
export function sumUsage(runs: readonly NodeRun[]): Usage | undefined {
  return runs.reduce<Usage | undefined>(
    (sum, { usage }) => (usage === undefined ? sum : addUsage(sum, usage)),
    undefined,
  );
}
