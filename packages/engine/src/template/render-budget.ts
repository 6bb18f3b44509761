import { raise } from './template-error.ts';

/**
 * Steps that one render may take: an item of a loop, a call, a filter, some characters or members that an operation goes
 * over. Rendering holds the whole process up, so that neither a time limit nor a signal is heard meanwhile: this bound is what
 * ends a template that computes without end, after some seconds at most.
 */
const maxSteps = 5_000_000;

/** How many characters an operation of the machine goes over in the time of a step; of a list it is one member. */
const charactersAStep = 32;

let left = Number.POSITIVE_INFINITY;

/** Runs one render with a budget of its own; renders within it spend of the same. */
export function withBudget<T>(render: () => T): T {
  const outside = left;
  const own = Math.min(maxSteps, outside);
  left = own;
  try {
    return render();
  } finally {
    left = outside - (own - left);
  }
}

/** @throws PythonError RenderLimitError once a render has taken too many steps */
export function spend(steps = 1): void {
  left -= steps;
  if (left < 0) overspent();
}

export function spendCharacters(count: number): void {
  spend(count / charactersAStep);
}

export function spendMembers(count: number): void {
  spend(count);
}

/** What an operation that goes over all of a value costs, beside the step it is. */
export function spendOn(value: unknown): void {
  if (typeof value === 'string') spend(1 + value.length / charactersAStep);
  else if (Array.isArray(value)) spend(1 + value.length);
  else spend();
}

function overspent(): never {
  return raise('RenderLimitError', `rendering takes more than ${maxSteps.toLocaleString('en')} steps`);
}
