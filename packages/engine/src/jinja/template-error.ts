/** Offsets in the template's text. */
export interface TemplatePlace {
  readonly start: number;
  readonly end: number;
}

/** What is wrong, as Jinja2 says it: `UndefinedError`, `'x' is undefined`. */
export interface TemplateProblem {
  readonly errorClass: string;
  readonly message: string;
  readonly place: TemplatePlace;
}

/** A template that cannot be compiled or rendered. The innermost expression that knows its place sets it. */
export class TemplateError extends Error {
  readonly errorClass: string;
  place: TemplatePlace | undefined;

  constructor(errorClass: string, message: string, place?: TemplatePlace) {
    super(message);
    this.errorClass = errorClass;
    this.place = place;
  }

  get problem(): TemplateProblem {
    return { errorClass: this.errorClass, message: this.message, place: this.place ?? { start: 0, end: 0 } };
  }
}

export function fail(errorClass: string, message: string, place?: TemplatePlace): never {
  throw new TemplateError(errorClass, message, place);
}
