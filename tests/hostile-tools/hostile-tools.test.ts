import type { ToolResult } from '@unroll/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sayings } from '../../packages/nodes/src/mcp/test-server.fixture.ts';
import { type Behaviour, behaviours, executors, type World } from './executors.ts';
import { frontEnds, withoutSaying } from './front-ends.ts';

/** The codes a behaviour may be told by, whatever stands behind the tool. */
const codes: Readonly<Partial<Record<Behaviour, RegExp>>> = {
  hangs: /^TIMEOUT$/,
  huge: /^(TOO_LARGE|UNEXPECTED_RESPONSE)$/,
  binary: /^BINARY_RESULT$/,
  raises: /^(RangeError|ValueError|FUNCTION_ERROR|HTTP_STATUS|TOOL_FAILED)$/,
};

describe.for(Object.entries(executors))('%s', ([, open]) => {
  let world: World;
  beforeAll(async () => {
    world = await open();
    expect(await world.table.call('calm', {})).toMatchObject({ ok: true, content: 'HARMLESS' });
  }, 60_000);
  afterAll(async () => await world?.[Symbol.asyncDispose]());

  describe.for(behaviours)('%s', (behaviour) => {
    let result: ToolResult;
    beforeAll(async () => {
      result = await world.table.call(world.toolOf(behaviour), {});
    }, 60_000);

    test('is told by the call, and its neighbour answers', async () => {
      const code = codes[behaviour];
      if (code === undefined) expect(result).toMatchObject({ ok: true, content: sayings[behaviour as 'roles'] });
      else expect(!result.ok && result.error.code).toMatch(code);
      expect(JSON.stringify(result).length).toBeLessThan(10_000);
      expect(await world.table.call('calm', {})).toMatchObject({ ok: true, content: 'HARMLESS' });
    });

    test.for(Object.entries(frontEnds))('changes nothing but its own record: %s', async ([, frontEnd]) => {
      const name = world.toolOf(behaviour);
      const { tools: opened } = await world.table.open();
      const tools = opened.map((tool) => (tool.name === name ? { ...tool, call: async () => result } : tool));
      const harmless = await frontEnd.call(tools, 'calm');
      const made = frontEnd.call(tools, name);
      if (!result.ok && frontEnd.endsOnError && !result.toModel) {
        const message = `${result.error.code}: ${result.error.message}`;
        await expect(made).rejects.toMatchObject({ name: 'DependencyFailed', message });
        return;
      }
      const said = withoutSaying(await made, name, textsOf(result, frontEnd.shown));
      expect(tagless(said)).toBe(tagless(withoutSaying(harmless, 'calm', frontEnd.shown('HARMLESS'))));
      expect(said).toContain('[SAID]');
    });
  });
});

/** What a front end may show of a result. */
function textsOf(result: ToolResult, shown: (text: string) => readonly string[]): readonly string[] {
  if (result.ok) return shown(String(result.content));
  const { code, message } = result.error;
  const failed = code === 'TIMEOUT' ? ['Timeout error...'] : [];
  return [...shown(`${code}: ${message}`), ...shown(message), ...failed];
}

/** An error of a tool that the model can correct is told as an error: another tag, another kind of observation, `error` for `response`. */
function tagless(text: string): string {
  return text
    .replaceAll(/<(\/?)(?:error|function_result)>/g, '<$1RESULT>')
    .replaceAll('"type":"REPROMPT","source":"ACTION_GROUP"', '"type":"ACTION_GROUP"')
    .replaceAll('"tag":"error"', '"tag":"function_result"')
    .replaceAll(/\{\\"error\\": \\"(?:\[SAID\])?\\", \\"response\\": \\"(?:\[SAID\])?\\"\}/g, '{[SAID]}');
}
