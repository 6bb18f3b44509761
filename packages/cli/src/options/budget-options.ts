import { ProjectFailure } from '@unroll/project/project-failure';
import type { OptionSpec } from '../command-spec.ts';
import { decimal, parsedText } from './option-kinds.ts';

export const budgetOptions = {
  budgetTokens: amount(
    '--budget-tokens <n>',
    'no new row once the run has taken so many tokens (docs/guide/budgets.md)',
    'a whole number',
  ),
  budgetCost: amount('--budget-cost <dollars>', 'the same in US dollars, by the prices that are shown', 'a number'),
  budgetSeconds: amount('--budget-seconds <n>', 'the same in seconds', 'a number'),
  rowBudgetTokens: amount(
    '--row-budget-tokens <n>',
    'loops of a row that took so many tokens go round no more',
    'a whole number',
  ),
  rowBudgetCost: amount('--row-budget-cost <dollars>', 'the same in US dollars', 'a number'),
  rowBudgetSeconds: amount('--row-budget-seconds <n>', 'the same in seconds', 'a number'),
};

function amount(flags: string, about: string, kind: 'a number' | 'a whole number'): OptionSpec<number | undefined> {
  return parsedText(flags, about, (given, name) => {
    const number = decimal(given) ?? 0;
    if (number > 0 && (kind === 'a number' || Number.isInteger(number))) return number;
    throw new ProjectFailure(`${name} takes ${kind} above 0, not "${given}"`);
  });
}
