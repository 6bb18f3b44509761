import { expect, test } from 'vitest';
import { freshDatabase } from '../testing/fresh-database.ts';
import { readEngineAddress } from './engine-address.ts';
import { openDatabase } from './open-database.ts';

test.each([
  ['postgres://ada:pw@db:5432/flows', { shown: 'postgres://ada@db:5432/flows', schema: 'unroll' }],
  ['postgresql://db/flows?schema=team_b', { shown: 'postgres://db/flows', schema: 'team_b' }],
  ['postgres://ada:p%2Fw%23%25@db/flows', { shown: 'postgres://ada@db/flows' }],
  ['postgres://ada:p@w@db/flows', { shown: 'postgres://ada@db/flows' }],
  ['postgres://db/flows?user=ada@corp&password=p@w', { shown: 'postgres://db/flows' }],
])('%s is an address', (address, read) => expect(readEngineAddress(address)).toMatchObject(read));

const unescaped = {
  code: 'EngineAddressInvalid',
  message: 'the address of the engine holds a character that has another meaning there',
  help: 'In user and password "/" is written %2F, "?" %3F, "#" %23 and "%" %25; or give the password in PGPASSWORD or ~/.pgpass.',
};

test.each([
  'postgres://ada:12/34secret@db/flows',
  'postgres://ada:12#34secret@db/flows',
  'postgres://ada:12?34secret@db/flows',
  'postgres://ada:12%secret@db/flows',
  'postgres://ada:se/cret12/34@db/flows',
])('%s is refused, and no part of its password is shown', (address) => {
  let told: unknown;
  try {
    readEngineAddress(address);
  } catch (error) {
    told = error;
  }
  expect(told).toMatchObject(unescaped);
});

test.each([
  'postgres:/ada:secret@db/flows',
  'postgres:ada:secret@db/flows',
  'mysql://ada:secret@db/flows',
  'ada:secret@db',
])('%s is none, and its password would be taken for a path', (address) =>
  expect(() => readEngineAddress(address)).toThrow(/^an engine is an address of PostgreSQL$/),
);

test.each([
  ['pg_mine', 'a schema cannot be called "pg_mine"'],
  ['information_schema', 'a schema cannot be called "information_schema"'],
  ['1a', 'a schema cannot be called "1a"'],
])('the schema %s is refused', (schema, message) =>
  expect(() => readEngineAddress(`postgres://db/flows?schema=${schema}`)).toThrow(message),
);

test.each([
  ['sslmode=always', 'EngineAddressInvalid', 'there is no sslmode "always"'],
  ['sslmode=require&sslrootcert=/no/such.pem', 'EngineNotEncrypted', "no such file or directory, open '/no/such.pem'"],
  ['host=/no/such', 'EngineUnreachable', 'there is no PostgreSQL at'],
])('an address with %s: %s', async (settings, code, message) => {
  await using fresh = await freshDatabase();
  await expect(openDatabase(`${fresh.url}?${settings}`)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message),
  });
});
