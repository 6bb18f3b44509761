import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { startLambdaServer } from '../../testing/lambda-server.ts';
import { type StsRole, startStsServer } from '../../testing/sts-server.ts';
import { testTable } from '../../testing/test-table.ts';

const own = { id: 'AKIDOWN', secret: 'own-secret' };
const runner: StsRole = {
  arn: 'arn:aws:iam::123456789012:role/runner',
  trusts: own.id,
  externalId: 'partner-7',
  keys: { id: 'ASIARUNNER', secret: 'runner-secret', token: 'runner-token' },
};
const program: StsRole = {
  arn: 'arn:aws:iam::123456789012:role/program',
  trusts: runner.keys.id,
  externalId: 'partner-7',
  keys: { id: 'ASIAPROGRAM', secret: 'program-secret', token: 'program-token' },
};

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A table with one program of each name, behind services that know only the keys of the sessions. */
async function open(
  roles: readonly StsRole[],
  options: {
    readonly configs?: Record<string, string>;
    readonly role?: string;
    readonly secrets?: Record<string, string>;
  },
) {
  const sts = await startStsServer(roles, { [own.id]: own.secret });
  const keys = Object.fromEntries([[own.id, own.secret], ...roles.map((role) => [role.keys.id, role.keys.secret])]);
  const lambda = await startLambdaServer(
    ({ body }) => ({ status: 200, body: JSON.stringify({ content: [{ type: 'text', text: body }] }) }),
    keys,
  );
  const role = options.role === undefined ? '' : `, role_arn: '${options.role}'`;
  const table = testTable(
    { 'tools.yaml': `- {name: p, description: d, lambda: {function: f, connection: aws${role}}}` },
    {
      connections: [
        {
          name: 'aws',
          type: 'custom',
          configs: { endpoint: lambda.endpoint, sts_endpoint: sts.endpoint, ...options.configs },
          secrets: options.secrets ?? { aws_access_key_id: own.id, aws_secret_access_key: own.secret },
        },
      ],
    },
  );
  return {
    table,
    sts,
    lambda,
    async [Symbol.asyncDispose]() {
      await table[Symbol.asyncDispose]();
      await lambda[Symbol.asyncDispose]();
      await sts[Symbol.asyncDispose]();
    },
  };
}

const region = { region: 'ap-northeast-1', external_id: 'partner-7' };

test('the role of a connection, then the role of a program, is assumed once for all its calls', async () => {
  const configs = { ...region, role_arn: runner.arn, role_session_name: 'nightly' };
  await using opened = await open([runner, program], { configs, role: program.arn });
  const { table, sts, lambda } = opened;
  expect(table.told).toBe('');
  const answers = await Promise.all([table.call('p', { n: 1 }), table.call('p', { n: 2 })]);
  expect(answers).toMatchObject([
    { ok: true, content: '{"n":1}' },
    { ok: true, content: '{"n":2}' },
  ]);
  await table.call('p', { n: 3 });
  expect(sts.requests).toMatchObject([
    { RoleArn: runner.arn, RoleSessionName: 'nightly', ExternalId: 'partner-7' },
    { RoleArn: program.arn, RoleSessionName: 'nightly', ExternalId: 'partner-7' },
  ]);
  const tokens = lambda.received.map(({ headers }) => headers['x-amz-security-token']);
  expect(tokens).toEqual(['program-token', 'program-token', 'program-token']);
  expect(table.printed.join('')).not.toMatch(/secret|token/);
});

test('a session that is about to end is not used again', async () => {
  const short = { ...runner, lasts: 120 };
  await using opened = await open([short], { configs: { ...region, role_arn: runner.arn } });
  await opened.table.call('p', {});
  const { length } = opened.sts.requests;
  await opened.table.call('p', {});
  expect(opened.sts.requests.length).toBeGreaterThan(length);
});

test('a role that is refused is an error of the call, and nothing is invoked', async () => {
  await using opened = await open([runner], { configs: { ...region, external_id: 'somebody' }, role: runner.arn });
  expect(await opened.table.call('p', {})).toEqual({
    ok: false,
    toModel: false,
    error: {
      code: 'INVOKE_ERROR',
      message:
        'AccessDenied: the role arn:aws:iam::123456789012:role/runner was not assumed: User: AKIDOWN is not authorized to perform: ' +
        'sts:AssumeRole on resource: arn:aws:iam::123456789012:role/runner (HTTP 403)',
      retryable: false,
      service: { status: 403 },
    },
  });
  expect(opened.lambda.received).toEqual([]);
});

test('assume_role: "false" is for a caller that has the role already', async () => {
  await using opened = await open([], { configs: { ...region, assume_role: 'false' }, role: program.arn });
  expect(await opened.table.call('p', {})).toMatchObject({ ok: true });
  expect(opened.sts.requests).toEqual([]);
});

test('a profile gives keys and region, also to assume a role with', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aws-'));
  const keys = `aws_access_key_id = ${own.id}\naws_secret_access_key = ${own.secret}\n`;
  writeFileSync(join(folder, 'credentials'), `[work]\n${keys}`);
  writeFileSync(join(folder, 'config'), '[profile work]\nregion = eu-central-1\n');
  vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'config'));
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(folder, 'credentials'));
  vi.stubEnv('AWS_REGION', undefined);
  const configs = { profile: 'work', external_id: 'partner-7' };
  await using plain = await open([], { configs, secrets: {} });
  expect(await plain.table.call('p', {})).toMatchObject({ ok: true });
  expect(plain.lambda.received[0]?.headers.authorization).toContain('/eu-central-1/lambda/');
  await using assuming = await open([runner], { configs, secrets: {}, role: runner.arn });
  expect(await assuming.table.call('p', {})).toMatchObject({ ok: true });
  expect(assuming.lambda.received[0]?.headers['x-amz-security-token']).toBe('runner-token');
  rmSync(folder, { recursive: true });
});

test('without a region from anywhere the call says so', async () => {
  for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_PROFILE']) vi.stubEnv(name, undefined);
  vi.stubEnv('AWS_CONFIG_FILE', '/nothing');
  await using opened = await open([], {});
  const message = 'nobody says in which region the function lies: write region, in the tool or its connection';
  expect(await opened.table.call('p', {})).toMatchObject({ ok: false, error: { code: 'INVOKE_ERROR', message } });
});

test('a role that is none is told before anything runs', async () => {
  await using opened = await open([], { role: 'arn:aws:lambda:x:1:function:f' });
  expect(opened.table.told).toContain(
    '"lambda.role_arn" of tool "p" must be an ARN of a role, arn:aws:iam::123456789012:role/name, not "arn:aws:lambda',
  );
});
