import { expect, test } from 'vitest';
import { parametersOf } from './api-parameters.ts';
import { llmEditorSchema } from './editor-schema.ts';

test('editors know every parameter that an llm node takes, and no other', () => {
  const { properties } = llmEditorSchema() as {
    readonly properties: { readonly inputs: { readonly properties: object } };
  };
  const taken = (['azure', 'openai', 'plain'] as const).flatMap((form) =>
    (['chat', 'responses'] as const).flatMap((api) => Object.keys(parametersOf(form, api, new Set()))),
  );
  const known = new Set(taken.filter((name) => name !== 'prompt'));
  expect(Object.keys(properties.inputs.properties).sort()).toEqual([...known].sort());
});
