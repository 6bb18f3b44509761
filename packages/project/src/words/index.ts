export { errorLine, failureText, indentLines } from './failure-text.ts';
export {
  countOf,
  formatAge,
  formatClock,
  formatCost,
  formatCount,
  formatDuration,
  formatLeft,
  formatRate,
  formatScore,
  formatSize,
  formatTokens,
  isNextToNothing,
  sumUsage,
} from './format-amounts.ts';
export { summarizeValue } from './summarize-value.ts';
