// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { expect, test } from 'vitest';
import { resolveEnvironment } from './environment-variables.ts';

const connection = { name: 'c', type: 'azure_open_ai', configs: { api_base: 'http://x' }, secrets: { api_key: 'k' } };
const connections = {
  find: (name: string) => (name === 'c' ? connection : undefined),
  names: () => ['c'],
};

test('fields of connections take the place of their names, anything else stays', () => {
  const written = {
    A: '${c.api_base}',
    B: '${c.api_key}',
    C: '${c.nope}',
    D: 'x${c.api_key}',
    E: 'plain',
    F: '${c.constructor}',
  };
  expect(resolveEnvironment(written, connections)).toEqual({
    ok: true,
    values: { A: 'http://x', B: 'k', C: '${c.nope}', D: 'x${c.api_key}', E: 'plain', F: '${c.constructor}' },
  });
});

test('a connection that is not there is told', () => {
  expect(resolveEnvironment({ A: '${d.api_key}' }, connections)).toMatchObject({
    ok: false,
    error: { code: 'ConnectionNotFoundError', message: "Connection 'd' is not found." },
  });
});
