import { didYouMean } from '../source/nearest-name.ts';

/** Offsets in the source text of the template. */
export interface TemplatePlace {
  readonly start: number;
  readonly end: number;
}

/** `errorClass` and `message` as Jinja gives them: `UndefinedError`, `'x' is undefined`; `help` is ours. */
export interface TemplateProblem {
  readonly errorClass: string;
  readonly message: string;
  readonly place: TemplatePlace;
  readonly help?: string | undefined;
}

/** A template that cannot be compiled or rendered; `problem` says why and where. */
export class TemplateError extends Error {
  readonly problem: TemplateProblem;
  constructor(problem: TemplateProblem) {
    super(`${problem.errorClass}: ${problem.message}`);
    this.name = 'TemplateError';
    this.problem = problem;
  }
}

/** An exception of Python raised while rendering, before its place is known. */
export class PythonError extends Error {
  readonly errorClass: string;
  constructor(errorClass: string, message: string) {
    super(message);
    this.name = 'PythonError';
    this.errorClass = errorClass;
  }
}

export function raise(errorClass: string, message: string): never {
  throw new PythonError(errorClass, message);
}

export function syntaxError(message: string, start: number, end: number, errorClass = 'TemplateSyntaxError'): never {
  throw new TemplateError({ errorClass, message, place: { start, end } });
}

/** A filter or test by a name that is none; `known` are those there are. */
export function unknownName(
  what: 'filter' | 'test',
  name: string,
  place: TemplatePlace,
  known: readonly string[],
): never {
  const message = `No ${what} named '${name}'.`;
  throw new TemplateError({ errorClass: 'TemplateAssertionError', message, place, help: didYouMean(name, known) });
}
