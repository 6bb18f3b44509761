import { isPlainObject } from '../value/plain-object.ts';
import type { Expression, Statement } from './ast.ts';
import { selfObject } from './compile-block.ts';
import { compileBody } from './compile-statement.ts';
import { DescribedTuple } from './described.ts';
import { globals } from './globals.ts';
import { type LeadingText, leadingText } from './leading-text.ts';
import { parseTemplate } from './parse-template.ts';
import { Undefined } from './python-types.ts';
import { withBudget } from './render-budget.ts';
import { type Frame, located } from './render-state.ts';
import { type FrameLayout, firstSlot, Scope } from './scope.ts';
import { scopeNames } from './scope-names.ts';
import type { Place } from './statement-place.ts';
import { type KnownVariables, sureFailures } from './sure-failures.ts';
import { surelyLoaded, surelyNeeded } from './surely-needed.ts';
import { TemplateError, type TemplatePlace, type TemplateProblem } from './template-error.ts';
import { templateShape } from './template-shape.ts';
import { valueOrigins } from './value-origins.ts';

export interface TemplateOptions {
  readonly trimBlocks?: boolean;
  readonly lstripBlocks?: boolean;
  readonly keepTrailingNewline?: boolean;
  readonly strictUndefined?: boolean;
}

/**
 * `guard`: a character no text contains. It is put after every newline and before every colon of printed values, never of
 * the template's own text, so that a reader of the result can tell the two apart.
 */
export interface RenderOptions {
  readonly guard?: string;
  /** Variables whose values are guarded, also where they come through filters, loops or other variables; all where absent. */
  readonly guarded?: ReadonlySet<string>;
}

/** A name that a template reads and does not set. */
interface TemplateVariable {
  readonly name: string;
  readonly place: TemplatePlace;
  /** Whether each rendering without it fails. */
  readonly isNeeded: boolean;
}

export interface Template {
  /** The names the template reads and does not set, as jinja2.meta.find_undeclared_variables, each at its first place. */
  readonly variables: readonly TemplateVariable[];
  /** Places that ask for another template, which there is none of: rendering fails where it comes to one, as it does for certain with `isReached`. */
  readonly loads: readonly (TemplatePlace & { readonly isReached: boolean })[];
  /** What stands before its first value or condition. */
  readonly leading: LeadingText;
  /** What fails in each rendering, by what is known of the variables; only what can be seen (sureFailures). */
  failures(known: KnownVariables): readonly TemplateProblem[];
  /** What it renders by (templateShape): two with the same never render anything else of the same values. */
  shape(): string;
  /** @throws TemplateError */
  render(variables: Readonly<Record<string, unknown>>, options?: RenderOptions): string;
}

/** Compiles a template once, to be rendered many times; what is wrong with it comes as problems with their places. */
export function compileTemplate(
  text: string,
  options: TemplateOptions = {},
): { ok: true; template: Template } | { ok: false; problems: readonly TemplateProblem[] } {
  try {
    return { ok: true, template: compile(text, options) };
  } catch (error) {
    const placed = located(error, { start: 0, end: 0 });
    if (placed instanceof TemplateError) return { ok: false, problems: [placed.problem] };
    throw error;
  }
}

const changing =
  /\.\s*(?:append|extend|insert|pop|popitem|remove|clear|reverse|sort|update|setdefault)\b|\[\s*['"]|\battr\b/;

function compile(text: string, options: TemplateOptions): Template {
  return compileStatements(parseTemplate(text, options), { text, options, copies: changing.test(text) });
}

interface WrittenTemplate {
  readonly text: string;
  readonly options: TemplateOptions;
  /** Whether it may change what it is given. */
  readonly copies: boolean;
}

function compileStatements(body: readonly Statement[], written: WrittenTemplate): Template {
  const { text, options, copies } = written;
  const layout: FrameLayout = { depth: 0, size: firstSlot };
  const ownNames = scopeNames(body);
  const { stored } = ownNames;
  const scope = new Scope(null, layout, ownNames);
  for (const name of stored) scope.declare(name);
  const strict = options.strictUndefined === true;
  const undeclared = new Map<string, TemplatePlace>();
  const assigned = new Set<string>();
  const place: Place = {
    scope,
    layout,
    soft: false,
    strict,
    lineAt: (offset) => text.slice(0, offset).split('\n').length,
    assigned,
    blocks: new Map(),
    origins: valueOrigins(body),
    loads: [],
    read: (name, node, from) => noteRead(name, node, from),
    compileBody,
  };
  function noteRead(name: string, node: Expression, from: Scope): void {
    const slot = from.find(name, from.layout);
    if (slot !== undefined && !slot.isRoot) return;
    scope.declare(name);
    const isSet = stored.has(name) && (from.parent !== null || current.has(name));
    if (isSet || node.start < 0 || Object.hasOwn(globals, name) || name === 'self') return;
    if (!undeclared.has(name)) undeclared.set(name, { start: node.start, end: node.end });
  }
  const current = assigned;
  const write = compileBody(body, place);
  const names = [...scope.names].map(([name, index]) => ({ name, index, message: `'${name}' is undefined` }));
  const needed = surelyNeeded(body, stored);
  const reached = new Set(surelyLoaded(body));
  // A block reads what the template was given, also before the template sets it.
  const unset: ReadonlySet<string> = place.blocks.size > 0 ? new Set() : ownNames.unset;

  function render(variables: Readonly<Record<string, unknown>>, renderOptions: RenderOptions = {}): string {
    const given = copies ? copyOf(variables) : variables;
    const frame: Frame = new Array(layout.size).fill(undefined);
    frame[1] = { guard: renderOptions.guard ?? null, guarded: renderOptions.guarded ?? null };
    for (const { name, index, message } of names) {
      if (unset.has(name)) frame[index] = new Undefined(message, strict);
      else if (Object.hasOwn(given, name) && given[name] !== undefined) frame[index] = given[name];
      else if (Object.hasOwn(globals, name)) frame[index] = globals[name];
      else if (name === 'self') frame[index] = selfObject(place.blocks, frame);
      else frame[index] = new Undefined(message, strict);
    }
    try {
      return withBudget(() => write(frame));
    } catch (error) {
      throw located(error, { start: 0, end: text.length });
    }
  }
  return {
    variables: [...undeclared].map(([name, at]) => ({ name, place: at, isNeeded: needed.has(name) })),
    loads: place.loads.map((at) => ({ ...at, isReached: reached.has(at.start) })),
    leading: leadingText(body),
    failures: ({ values, unknown }) => {
      const known = { values, unknown: new Set([...unknown, ...stored]) };
      const renderAlone = (some: readonly Statement[], variables: Readonly<Record<string, unknown>>): string =>
        compileStatements(some, written).render(variables);
      return withBudget(() => sureFailures(body, known, renderAlone));
    },
    shape: () => templateShape(body),
    render,
  };
}

/** A template that changes lists or mappings changes its own copies. */
function copyOf<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const copy = value.map(copyOf);
    if (value instanceof DescribedTuple) (copy as DescribedTuple).told = value.told;
    return copy as Value;
  }
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copyOf(member)])) as Value;
}
