import type { JsonValue, Tool } from '@unroll/engine';
import { documentAction, tokenOf } from '@unroll/nodes/toolgen';
import { expect, test } from 'vitest';
import { readOptions } from '../packages/nodes/src/agent/agent-options.ts';
import { makeCalls } from '../packages/nodes/src/agent/make-calls.ts';
import { readTurn } from '../packages/nodes/src/agent/read-turn.ts';
import { hostileNames } from './house/hostile-names.ts';

/** What tests/tool-guarantee.test.ts shows for a catalogue, for the tools of an `agent` node and for ToolGen's tokens. */
const names = ['get_order', 'list_orders', 'cancel_order', 'get_weather', 'search-news', 'Ferry_for_Shop'];
const { signal } = new AbortController();

test.for(['tools', 'functions', 'react'] as const)(
  'an agent (%s) that asks for 1,000 tools that are none calls none',
  async (format) => {
    const called: string[] = [];
    const tools = names.map(
      (name): Tool => ({
        name,
        description: name,
        parameters: { type: 'object', properties: { id: { type: 'string' } } },
        effects: 'writes',
        call: async () => {
          called.push(name);
          return { ok: true, content: name };
        },
      }),
    );
    const options = readOptions('agent', { format });
    // ReAct's lines end where the name does: blanks behind it are no part of it.
    const isRead = (name: string): boolean => format !== 'react' || !names.includes(name.trim());
    for (const name of hostileNames(names).filter(isRead)) {
      const turn = readTurn(asking(name, format), format, 1);
      if (turn.kind !== 'calls') continue;
      const { made } = await makeCalls(turn.calls, tools, options, { signal });
      expect({ name, codes: made.map(({ step }) => step.error?.code) }).toEqual({ name, codes: ['UNKNOWN_TOOL'] });
    }
    expect(called).toEqual([]);
    const right = readTurn(asking('get_order', format), format, 1);
    await makeCalls(right.kind === 'calls' ? right.calls : [], tools, options, { signal });
    expect(called).toEqual(['get_order']);
  },
);

function asking(name: string, format: 'tools' | 'functions' | 'react'): JsonValue {
  const given = '{"id": "1"}';
  if (format === 'react') return `Thought: I need it.\nAction: ${name}\nAction Input: ${given}`;
  if (format === 'functions') return { role: 'assistant', content: null, function_call: { name, arguments: given } };
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: given } }],
  };
}

test('of 1,000 tokens that are none of a catalogue ToolGen knows none', () => {
  const tools = names.map((own) => ({
    ...{
      name: own,
      own,
      group: 'Shop',
      category: 'Trade',
      description: own,
      parameters: { type: 'object', properties: {} },
    },
  }));
  const byToken = new Map(tools.map((tool) => [tokenOf(tool), tool]));
  const tokens = [...byToken.keys()];
  // Blanks around a token that was written alone are no part of it.
  const isRead = (token: string): boolean => !tokens.includes(token.trim());
  for (const token of hostileNames(tokens)) {
    const written: readonly JsonValue[] = [...(isRead(token) ? [token] : []), JSON.stringify({ action: token })];
    for (const one of written) {
      const { known, place } = documentAction(one, (action) => byToken.get(action));
      expect({ one, known, place }).toEqual({ one, known: false, place: null });
    }
  }
  expect(tokens.map((token) => documentAction(token, (action) => byToken.get(action)).place?.api)).toEqual(names);
});
