import { compileTemplate, TemplateError } from '@unroll/engine/template';
import { type ChatMessage, newlineLists, parseChat, unusedCharacter } from '@unroll/nodes';
import { expect, test } from 'vitest';
import { readExactCases } from './case-file.ts';

interface ChatCase {
  readonly id: string;
  readonly why: string;
  readonly template: string;
  readonly vars: Readonly<Record<string, unknown>>;
  readonly rendered?: string;
  readonly messages?: readonly ChatMessage[];
  readonly error?: { readonly name: string };
}

const cases = readExactCases<ChatCase>('s1_chat_template.jsonl');

test.for(cases)('$id: $why', ({ template, vars, rendered, messages, error }) => {
  const plain = read(template, vars, '');
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
  ({ template, vars, messages = [] }) => {
    const guard = unusedCharacter(template, vars);
    const { messages: sent = [] } = read(template, vars, guard);
    const own = holdsRoleLine(vars) ? ownRoles(template, vars) : messages.map(({ role }) => role);
    expect(sent.map(({ role }) => role)).toEqual(own);
    expect(JSON.stringify(sent)).not.toContain(guard);
    if (!holdsRoleLine(vars)) expect(sent).toEqual(messages);
  },
);

interface Reading {
  readonly rendered?: string;
  readonly messages?: readonly ChatMessage[];
  readonly error?: string;
}

function read(text: string, vars: Readonly<Record<string, unknown>>, guard: string): Reading {
  const compiled = compileTemplate(text, { trimBlocks: true, keepTrailingNewline: true });
  if (!compiled.ok) return { error: 'JinjaTemplateError' };
  try {
    const rendered = compiled.template.render(newlineLists(vars) as Readonly<Record<string, unknown>>, { guard });
    const parsed = parseChat(rendered, guard);
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
