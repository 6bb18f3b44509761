import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { serveFlows } from '../testing/served-world.ts';

test.for(['/openapi.json', '/swagger.json'])('%s is a document that an OpenAPI validator takes', async (path) => {
  await using world = await serveFlows(['double']);
  const document = JSON.parse(await (await fetch(`${world.server.url}${path}`)).text());
  expect(await new Validator().validate(document)).toEqual({ valid: true });
});

test('the document says what a flow takes', async () => {
  await using world = await serveFlows(['double', 'wait']);
  const document = await (await fetch(`${world.server.url}/openapi.json`)).json();
  expect(document).toMatchObject({
    openapi: '3.1.0',
    paths: {
      '/flows/double/runs': {
        post: {
          requestBody: {
            content: {
              'application/json': {
                schema: { properties: { n: { type: 'integer', description: 'a number' } }, required: ['n'] },
              },
            },
          },
        },
      },
      '/flows/wait/runs': {},
    },
  });
});

test('every operation has an id of its own, flows with names in Japanese too', async () => {
  const flow = 'inputs: {q: {type: string}}\noutputs: {q: {type: string, reference: "${inputs.q}"}}\nnodes: []\n';
  const names = ['顧客', '社員', 'a-b', 'a_b'];
  const more = Object.fromEntries(names.map((name) => [`${name}/flow.dag.yaml`, flow]));
  await using world = await serveFlows(names, {}, more);
  const { paths } = (await (await fetch(`${world.server.url}/openapi.json`)).json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
  };
  const ids = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
  expect(ids.length).toBeGreaterThan(names.length);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toContain('run_顧客');
});
