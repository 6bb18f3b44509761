import { compileTemplate, newlineLists, TemplateError } from '@unroll/engine/template';
import { type ChatMessage, parseChat, unusedCharacter } from '@unroll/nodes';
import { expect, test } from 'vitest';
import { readExactCases } from './case-file.ts';

interface ChatCase {
  readonly id: string;
  readonly why: string;
  readonly template: string;
  readonly vars: Readonly<Record<string, unknown>>;
  /** Values that open no role in the original either. */
  readonly escape_inputs?: readonly string[];
  readonly rendered?: string;
  readonly messages?: readonly ChatMessage[];
  readonly error?: { readonly name: string };
}

const cases = readExactCases<ChatCase>('s1_chat_template.jsonl');

test.for(cases)('$id: $why', ({ template, vars, rendered, messages, error, ...given }) => {
  const plain = read(template, vars, '', given.escape_inputs);
  expect(plain).toEqual(
    error === undefined
      ? { rendered, messages }
      : { ...(rendered === undefined ? {} : { rendered }), error: error.name },
  );
});

/**
 * The cases show what the original reads, injected roles included. What a node sends is read with the guard: the same
 * messages, but that a value opens none (docs/deviations.md).
 */
test.for(cases.filter(({ messages }) => messages !== undefined))(
  '$id: a value opens no role',
  ({ template, vars, messages = [], escape_inputs: escaped = [] }) => {
    const guard = unusedCharacter(template, vars);
    const { messages: sent = [] } = read(template, vars, guard);
    const isOpen = holdsRoleLine(without(vars, escaped));
    const own = isOpen ? ownRoles(template, vars) : messages.map(({ role }) => role);
    expect(sent.map(({ role }) => role)).toEqual(own);
    expect(JSON.stringify(sent)).not.toContain(guard);
    if (!isOpen) expect(sent).toEqual(messages);
  },
);

interface Reading {
  readonly rendered?: string;
  readonly messages?: readonly ChatMessage[];
  readonly error?: string;
}

function without(vars: Readonly<Record<string, unknown>>, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(vars).filter(([name]) => !names.includes(name)));
}

/** @param escaped names of values that the guard holds back where there is none for all */
function read(
  text: string,
  vars: Readonly<Record<string, unknown>>,
  guard: string,
  escaped: readonly string[] = [],
): Reading {
  const compiled = compileTemplate(text, { trimBlocks: true, keepTrailingNewline: true });
  if (!compiled.ok) return { error: 'JinjaTemplateError' };
  try {
    const held = guard === '' && escaped.length > 0 ? unusedCharacter(text, vars) : guard;
    const shown = compiled.template.render(newlineLists(vars) as Readonly<Record<string, unknown>>, {
      guard: held,
      ...(guard === '' && escaped.length > 0 ? { guarded: new Set(escaped) } : {}),
    });
    const parsed = parseChat(shown, held);
    const rendered = held === '' ? shown : shown.replaceAll(held, '');
    return parsed.ok ? { rendered, messages: parsed.messages } : { rendered, error: parsed.error.code };
  } catch (error) {
    if (error instanceof TemplateError) return { error: 'JinjaTemplateError' };
    throw error;
  }
}

const roleLine = /(?<![^\n])\s*#?\s*(system|user|assistant|function|tool)\s*:\s*(\n|$)/i;

function holdsRoleLine(value: unknown): boolean {
  if (typeof value === 'string') return roleLine.test(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsRoleLine);
}

/** Roles of the same prompt when each text of the values that could open one is replaced by a harmless word. */
function ownRoles(template: string, vars: Readonly<Record<string, unknown>>): readonly unknown[] {
  return (read(template, harmless(vars) as Readonly<Record<string, unknown>>, '').messages ?? []).map(
    ({ role }) => role,
  );
}

function harmless(value: unknown): unknown {
  if (typeof value === 'string') return roleLine.test(value) ? 'harmless' : value;
  if (Array.isArray(value)) return value.map(harmless);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, harmless(member)]));
}
