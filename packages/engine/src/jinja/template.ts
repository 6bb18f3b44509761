import { type Blocks, compileBody } from './compile-statement.ts';
import { Frame } from './frame.ts';
import type { TemplateOptions } from './lexer.ts';
import { parseTemplate } from './parser.ts';
import { Callable } from './python-values.ts';
import { createRuntime } from './runtime.ts';
import { CallLayout, Scope } from './scope.ts';
import { TemplateError, type TemplatePlace, type TemplateProblem } from './template-error.ts';

/** A compiled template; renders any number of times. */
export interface Template {
  /** Names the template reads and does not set, with the first place of each (`jinja2.meta.find_undeclared_variables`). */
  readonly variables: readonly { readonly name: string; readonly place: TemplatePlace }[];
  /** @throws TemplateError with the class, text and place of what Jinja2 would raise */
  render(variables: Readonly<Record<string, unknown>>, options?: RenderOptions): string;
}

export interface RenderOptions {
  /**
   * A character that no text holds. It is put after each line break and before each colon that comes from a value, so
   * that a reader of the text can tell the template's own lines from those a value brings.
   */
  readonly guard?: string;
}

export type Compiled =
  | { readonly ok: true; readonly template: Template }
  | { readonly ok: false; readonly problems: readonly TemplateProblem[] };

/** Compiles a template that renders what Jinja2 3.1 renders, in its sandbox and without a loader. */
export function compileTemplate(text: string, options: TemplateOptions = {}): Compiled {
  try {
    return { ok: true, template: compile(text, options) };
  } catch (error) {
    if (error instanceof TemplateError) return { ok: false, problems: [error.problem] };
    throw error;
  }
}

function compile(text: string, options: TemplateOptions): Template {
  const source = normalized(text, options);
  const body = parseTemplate(source, options);
  const layout = new CallLayout(undefined);
  const scope = new Scope(layout, undefined);
  const self = scope.declare('self');
  const undeclared = new Map<string, TemplatePlace>();
  const blocks: Blocks = new Map();
  const run = compileBody(body, scope, { undeclared, blocks });
  const runtime = createRuntime(options.strictUndefined === true);
  const shift = placeShift(text);
  return {
    variables: [...undeclared].map(([name, place]) => ({ name, place: shift(place) })),
    render(variables, { guard = '' } = {}) {
      const frame = new Frame(layout.size, undefined, variables, runtime, guard);
      if (blocks.size > 0) frame.slots[self] = selfOf(blocks, frame);
      try {
        run(frame);
      } catch (error) {
        if (error instanceof TemplateError && error.place !== undefined) error.place = shift(error.place);
        throw error;
      }
      return frame.text;
    },
  };
}

function normalized(text: string, options: TemplateOptions): string {
  const source = text.includes('\r') ? text.replaceAll(/\r\n|\r/g, '\n') : text;
  return options.keepTrailingNewline === true ? source : source.replace(/\n$/, '');
}

/** Places of the normalised text as places of the text that was given. */
function placeShift(text: string): (place: TemplatePlace) => TemplatePlace {
  if (!text.includes('\r\n')) return (place) => place;
  const removed = [...text.matchAll(/\r\n/g)].map(({ index }, before) => index - before);
  const shift = (offset: number): number => offset + removed.filter((at) => at < offset).length;
  return ({ start, end }) => ({ start: shift(start), end: shift(end) });
}

function selfOf(blocks: Blocks, frame: Frame): Callable {
  const members = Object.fromEntries(
    [...blocks].map(([name, render]) => [name, new Callable(name, () => render(frame))]),
  );
  return new Callable('self', () => '', '<TemplateReference None>', members);
}
