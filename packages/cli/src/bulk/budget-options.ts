import type { Budget } from '@unroll/engine';
import { ProjectFailure } from '@unroll/project';
import type { OptionSpec, Options } from '../command-spec.ts';
import { textOf } from '../option-values.ts';

export const budgetOptions: readonly OptionSpec[] = [
  { flags: '--budget-tokens <n>', about: 'no new row once the run has taken so many tokens (docs/guide/budgets.md)' },
  { flags: '--budget-cost <dollars>', about: 'the same in US dollars, by the prices that are shown' },
  { flags: '--budget-seconds <n>', about: 'the same in seconds' },
  { flags: '--row-budget-tokens <n>', about: 'loops of a row that took so many tokens go round no more' },
  { flags: '--row-budget-cost <dollars>', about: 'the same in US dollars' },
  { flags: '--row-budget-seconds <n>', about: 'the same in seconds' },
];

/** Budgets of the run and of each row; absent where the command line has none. */
export function readBudgets(options: Options): { readonly budget?: Budget; readonly rowBudget?: Budget } {
  const budget = readBudget(options, 'budget');
  const rowBudget = readBudget(options, 'rowBudget');
  return { ...(budget === undefined ? {} : { budget }), ...(rowBudget === undefined ? {} : { rowBudget }) };
}

function readBudget(options: Options, prefix: 'budget' | 'rowBudget'): Budget | undefined {
  const tokens = amountOf(options, `${prefix}Tokens`);
  const cost = amountOf(options, `${prefix}Cost`);
  const seconds = amountOf(options, `${prefix}Seconds`);
  if (tokens === undefined && cost === undefined && seconds === undefined) return undefined;
  return {
    ...(tokens === undefined ? {} : { tokens }),
    ...(cost === undefined ? {} : { cost }),
    ...(seconds === undefined ? {} : { seconds }),
  };
}

function amountOf(options: Options, name: string): number | undefined {
  const text = textOf(options, name);
  if (text === undefined) return undefined;
  const number = Number(text);
  const isWhole = !name.endsWith('Tokens') || Number.isInteger(number);
  if (text.trim() !== '' && Number.isFinite(number) && number > 0 && isWhole) return number;
  const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const kind = name.endsWith('Tokens') ? 'a whole number' : 'a number';
  throw new ProjectFailure(`--${flag} takes ${kind} above 0, not "${text}"`);
}
