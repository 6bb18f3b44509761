import { getPath, isMapping, type JsonValue, jsonIn, ownValue, type ValuePath } from '@unroll/engine';

/** One step into a value. `index` counts from the end where it is negative; `every` goes into all members of a list. */
export type Step =
  | { readonly kind: 'key'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'every' };

/**
 * What a metric looks at, as it is written:
 *
 *     outputs.answer            an output of the flow
 *     inputs.query              an input of the flow
 *     agent_1.function_call     the output of a node, or what lies in it
 *     hits[-1].id               the last member of a list
 *     hits[*].id                of every member of a list
 *     function[*]               all instances of a loop's node, where `function` is one
 */
export interface Target {
  readonly text: string;
  readonly of: 'outputs' | 'inputs' | 'node';
  /** Of the output, input, node or family. */
  readonly name: string;
  readonly steps: readonly Step[];
}

const nameForm = /^[^\s.[\]${}]+/u;
const stepForm = /\.([^\s.[\]${}]+)|\[(-?\d+)\]|\['([^']*)'\]|\["([^"]*)"\]|\[(\*)\]/uy;

/** Reads a target; undefined for what is none. */
export function parseTarget(text: string): Target | undefined {
  const [first] = nameForm.exec(text) ?? [];
  if (first === undefined) return undefined;
  const steps = parseSteps(text.slice(first.length));
  if (steps === undefined) return undefined;
  if (first !== 'outputs' && first !== 'inputs') return { text, of: 'node', name: first, steps };
  const [name, ...rest] = steps;
  return name?.kind === 'key' ? { text, of: first, name: name.name, steps: rest } : undefined;
}

/** Reads `.a[0].b`; undefined where something else stands in it. */
export function parseSteps(text: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  for (let at = 0; at < text.length; at = stepForm.lastIndex) {
    stepForm.lastIndex = at;
    const [, key, index, single, double, every] = stepForm.exec(text) ?? [];
    const name = key ?? single ?? double;
    if (name !== undefined) steps.push({ kind: 'key', name });
    else if (index !== undefined) steps.push({ kind: 'index', index: Number(index) });
    else if (every !== undefined) steps.push({ kind: 'every' });
    else return undefined;
  }
  return steps;
}

/** `row['Ground Truth']` for `row.Ground Truth`, whose blank cannot stand in a name; undefined where that is not what is wrong. */
export function quotedNames(text: string): string | undefined {
  const quoted = text.replaceAll(/\.([^.[\]${}'"]*\s[^.[\]${}'"]*)/gu, "['$1']");
  return quoted !== text && parseTarget(quoted) !== undefined ? quoted : undefined;
}

/**
 * The value the steps lead to; undefined where there is nothing. A step into a text that is JSON goes into what the text
 * says, since models give arguments and answers that way.
 */
export function readSteps(value: JsonValue, steps: readonly Step[], from = 0): JsonValue | undefined {
  let current: JsonValue | undefined = value;
  for (let at = from; at < steps.length; at += 1) {
    const step = steps[at] as Step;
    const members: JsonValue | undefined = typeof current === 'string' ? jsonOf(current) : current;
    if (typeof members !== 'object' || members === null) return undefined;
    if (step.kind === 'every') return readEvery(members, steps, at + 1);
    current = memberOf(members, step);
    if (current === undefined) return undefined;
  }
  return current;
}

/** Reads what steps lead to in outputs, and of a mapping there one member, without the rest of them. */
export class OutputReader {
  private readonly steps: readonly Step[];
  /** The steps as far as they are one place. */
  private readonly path: ValuePath;
  /** To the member asked for last. */
  private members: ValuePath = [];

  constructor(steps: readonly Step[]) {
    this.steps = steps;
    const every = steps.findIndex(({ kind }) => kind === 'every');
    this.path = steps.slice(0, every < 0 ? steps.length : every).map(placeOf);
  }

  /** As `readSteps`. */
  value(output: JsonValue): JsonValue | undefined {
    const reached = getPath(output, this.path);
    return reached === undefined ? undefined : readSteps(reached.value, this.steps, reached.steps);
  }

  /** undefined where the value is no mapping, or has no such member. */
  member(output: JsonValue, name: string): JsonValue | undefined {
    // The values of every member of a list are a list.
    if (this.path.length < this.steps.length) return undefined;
    if (this.members.at(-1) !== name) this.members = [...this.path, name];
    const reached = getPath(output, this.members);
    if (reached === undefined || reached.steps > this.path.length) return reached?.value;
    return ownMember(readSteps(reached.value, this.steps, reached.steps), name);
  }
}

export function ownMember(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isMapping(value) ? ownValue(value, name) : undefined;
}

function placeOf(step: Step): string | number {
  if (step.kind === 'every') throw new Error('bug: every member is not one place');
  return step.kind === 'key' ? step.name : step.index;
}

function readEvery(members: object, steps: readonly Step[], from: number): JsonValue | undefined {
  if (!Array.isArray(members)) return undefined;
  return (members as readonly JsonValue[]).map((member) => readSteps(member, steps, from) ?? null);
}

function memberOf(members: object, step: Exclude<Step, { kind: 'every' }>): JsonValue | undefined {
  if (step.kind === 'index') return Array.isArray(members) ? (members.at(step.index) as JsonValue) : undefined;
  return Object.hasOwn(members, step.name) ? (members as Readonly<Record<string, JsonValue>>)[step.name] : undefined;
}

/** What a text that is JSON says; undefined for any other. */
export function jsonOf(text: string): JsonValue | undefined {
  return /^\s*[[{]/.test(text) ? jsonIn(text) : undefined;
}
