import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';

/** The address that is printed, and what the command says once it was ended as by Ctrl-C. */
async function viewed(args: readonly string[], ask: (printed: string) => Promise<void>): Promise<number> {
  const end = new AbortController();
  const printed = Promise.withResolvers<string>();
  using world = createTestWorld({ signal: end.signal, onStdout: (text) => printed.resolve(text) });
  const ended = world.flow('view', ...args);
  try {
    await ask(await Promise.race([printed.promise, ended.then(({ stderr }) => Promise.reject(new Error(stderr)))]));
  } finally {
    end.abort();
  }
  return (await ended).code;
}

test('flow view prints an address with its token, and answers who has it until it is told to end', async () => {
  const code = await viewed(['--no-open'], async (printed) => {
    const address = printed.trim();
    const { origin, searchParams } = new URL(address);
    const authorization = `Bearer ${searchParams.get('token')}`;
    expect((await fetch(`${origin}/api/studio/v1/runs`, { headers: { authorization } })).status).toBe(200);
    expect((await fetch(`${origin}/api/studio/v1/runs`)).status).toBe(401);
  });
  expect(code).toBe(0);
});

test('flow view --json is for programs, --read-only for lookers-on', async () => {
  await viewed(['--json', '--read-only'], async (printed) => {
    const { url, token } = JSON.parse(printed) as { readonly url: string; readonly token: string };
    const answer = await fetch(`${url}/api/studio/v1/session`, { headers: { authorization: `Bearer ${token}` } });
    expect(await answer.json()).toMatchObject({ version: 1, isReadOnly: true });
  });
});

test('a run that is not there is told before anything listens', async () => {
  await expect(viewed(['none-such'], async () => undefined)).rejects.toThrow('there are no runs');
});
