import { expect, test } from 'vitest';
import { requestForm } from './request-form.ts';

test.for([
  ['azure_open_ai', 'azure'],
  ['offline', 'azure'],
  ['open_ai', 'openai'],
  ['serverless', 'openai'],
  ['amazon_bedrock', 'openai'],
  ['a type of yours', 'openai'],
] as const)('requests over a connection of type %s have the form of %s', ([type, form]) => {
  expect(requestForm({ type })).toBe(form);
});
