import { expect, test } from 'vitest';
import { connectionIdentity } from './connection-identity.ts';

test.for<[Readonly<Record<string, string>>, string]>([
  [{}, 'azure_open_ai'],
  [
    { api_version: '2024-10-21', api_base: 'https://x.openai.azure.com/' },
    'azure_open_ai api_base=https://x.openai.azure.com api_version=2024-10-21',
  ],
  [{ api_base: 'https://user:pass@x.example/v1?sig=abc#f' }, 'azure_open_ai api_base=https://x.example/v1'],
  [{ auth_mode: 'key', organization: 'o', resource_id: 'r', api_base: '' }, 'azure_open_ai'],
])('%j is told as %s', ([configs, told]) => {
  const connection = { name: 'mine', type: 'azure_open_ai', configs, secrets: { api_key: 'sk-secret' } };
  expect(connectionIdentity(connection)).toBe(told);
});
