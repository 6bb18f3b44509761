import { isMapping, type JsonObject, type JsonValue } from '@unroll/engine';
import { parseSteps, parseTarget } from '../targets/target.ts';
import type { Source } from './eval-spec.ts';

export interface WrongSource {
  /** What cannot be read, without the braces. */
  readonly wrong: string;
  /** The reference that seems to be meant by a text which is none. */
  readonly meant?: string;
}

/** A written value that is read for each row: `${row.…}`, `${outputs.…}`, `${node.…}`, a list or a mapping of these, or a literal. */
export function readSource(value: JsonValue): Source | WrongSource {
  if (Array.isArray(value)) return readList(value);
  if (isMapping(value)) return readMapping(value);
  const written = typeof value === 'string' ? /^\$\{(.*)\}$/s.exec(value)?.[1] : undefined;
  if (written === undefined) return typeof value === 'string' ? readText(value) : { from: 'literal', value };
  const [, rest] = /^(?:row|data)((?:[.[]).*)$/s.exec(written) ?? [];
  if (rest !== undefined) {
    const steps = parseSteps(rest);
    return steps === undefined ? { wrong: written } : { from: 'column', text: `row${rest}`, steps, isImplied: false };
  }
  const target = parseTarget(written);
  return target === undefined ? { wrong: written } : { from: 'target', target };
}

/** A text that is meant to refer to something, and does not: it would be compared as it stands. */
const almostReferences = [
  /\$\{\s*((?:row|data|outputs|inputs)[.[][^{}]*)/u,
  /\{\{-?\s*((?:row|data|outputs|inputs)[.[][^{}]*?)\s*-?\}\}/u,
  /^\{\s*((?:row|data|outputs|inputs)[.[][^{}]*)\}$/u,
];

function readText(value: string): Source | WrongSource {
  for (const form of almostReferences) {
    const [, meant] = form.exec(value) ?? [];
    if (meant !== undefined) return { wrong: value, meant: meant.trim() };
  }
  return { from: 'literal', value };
}

function readList(value: readonly JsonValue[]): Source | WrongSource {
  const members = value.map(readSource);
  const wrong = members.find((member) => 'wrong' in member);
  if (wrong !== undefined) return wrong;
  const sources = members as readonly Source[];
  return sources.every(({ from }) => from === 'literal')
    ? { from: 'literal', value }
    : { from: 'list', members: sources };
}

function readMapping(value: JsonObject): Source | WrongSource {
  const members = Object.entries(value).map(([name, member]) => [name, readSource(member)] as const);
  const wrong = members.map(([, member]) => member).find((member) => 'wrong' in member);
  if (wrong !== undefined) return wrong;
  const sources = Object.fromEntries(members) as Readonly<Record<string, Source>>;
  const isLiteral = Object.values(sources).every(({ from }) => from === 'literal');
  return isLiteral ? { from: 'literal', value } : { from: 'mapping', members: sources };
}
