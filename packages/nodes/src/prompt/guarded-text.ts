import type { NodeCall, NodeDefinition } from '@unroll/engine';
import type { Template } from '@unroll/engine/template';
import { carryMarks } from './carry-marks.ts';
import { describedVariables } from './described-variables.ts';
import { type PromptResult, promptResult } from './prompt-results.ts';
import { countRoleLines } from './role-line.ts';

/** Which values of a node may start a message in a chat template. */
export interface Trust {
  /** Inputs none of whose lines is read as a role; undefined: all inputs. */
  readonly guarded: ReadonlySet<string> | undefined;
  /** Inputs that are the whole output of another node, with its name. */
  readonly outputs: readonly (readonly [input: string, node: string])[];
}

/**
 * What Prompt flow protects, inputs bound straight to inputs of the flow; everything where the flow lets no value open a
 * role. In the output of a prompt node the lines of its template count, those of the values it was given do not.
 */
export function trustOf(node: NodeDefinition, valuesOpenRoles: boolean): Trust {
  const inputs = Object.entries(node.inputs);
  const outputs = inputs.flatMap(([name, input]) =>
    input.kind === 'node-output' && input.path === '' ? [[name, input.node] as const] : [],
  );
  if (!valuesOpenRoles) return { guarded: undefined, outputs };
  return { guarded: new Set(inputs.flatMap(([name, { kind }]) => (kind === 'flow-input' ? [name] : []))), outputs };
}

/** A rendered prompt: `guard` stands after each line break and before each colon that came from a guarded value. */
export interface GuardedText {
  readonly text: string;
  readonly guard: string;
}

type Variables = Readonly<Record<string, unknown>>;

/**
 * @param asPrinted what the template reads in the place of each value, objects of programs among them
 * @throws TemplateError
 */
export function renderGuarded(
  template: Template,
  source: string,
  given: Variables,
  trust: Trust,
  { row, originals }: Pick<NodeCall, 'row' | 'originals'>,
  asPrinted: (value: unknown) => unknown = (value) => value,
): GuardedText {
  const described = Object.entries(describedVariables(given, source, originals));
  const variables = Object.fromEntries(described.map(([name, value]) => [name, asPrinted(value)]));
  const results = resultsAmong(variables, trust, row);
  const guarded = trust.guarded ?? new Set(Object.keys(variables).filter((name) => !results.has(name)));
  const guard = unusedCharacter(source, variables);
  const foreign = results.size === 0 ? [] : [...results].filter(([, result]) => holdsForeignRole(result));
  const text = template.render(variables, { guard, guarded });
  if (foreign.length === 0) return { text, guard };
  // A mark of its own, which filters carry along where they take the guard off.
  const mark = unusedCharacter(source, variables, guard);
  const marked = foreign.map(([name, result]) => [name, result.marked.replaceAll(result.mark, mark)]);
  const withMarks = { ...variables, ...Object.fromEntries(marked) };
  const other = renderedOr('', () => template.render(withMarks, { guard, guarded }));
  return { text: carryMarks(text, other, mark).replaceAll(mark, guard), guard };
}

/** What fails over the marks alone has no rendering with them. */
function renderedOr(otherwise: string, render: () => string): string {
  try {
    return render();
  } catch {
    return otherwise;
  }
}

const noResults: ReadonlyMap<string, PromptResult> = new Map();

function resultsAmong(
  variables: Variables,
  { outputs }: Trust,
  row: NodeCall['row'],
): ReadonlyMap<string, PromptResult> {
  if (outputs.length === 0) return noResults;
  const found = new Map<string, PromptResult>();
  for (const [name, node] of outputs) {
    const result = promptResult(row, node, variables[name], unusedCharacter);
    if (result !== undefined) found.set(name, result);
  }
  return found;
}

function holdsForeignRole({ text, marked }: PromptResult): boolean {
  return text !== marked && countRoleLines(text) !== countRoleLines(marked);
}

/** A character that stands nowhere in the texts, at any depth. */
export function unusedCharacter(...texts: readonly unknown[]): string {
  for (let code = 0xf0000; ; code += 1) {
    const character = String.fromCodePoint(code);
    if (!texts.some((text) => holds(text, character))) return character;
  }
}

function holds(value: unknown, character: string): boolean {
  if (typeof value === 'string') return value.includes(character);
  if (typeof value !== 'object' || value === null) return false;
  for (const key of Object.keys(value)) {
    if (key.includes(character) || holds((value as Variables)[key], character)) return true;
  }
  return false;
}
