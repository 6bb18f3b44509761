import { createHash, createHmac, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolder } from '@unroll/engine/values';

/** What stands for a variable that is not set; no digest is like it. */
const notSet = 'not set';

const keyBytes = 32;
/** By the file it is kept in. */
const keys = new Map<string, Buffer>();

/**
 * What stands for the value of a variable in a record: `<key>.<digest>`, keyed, so that nobody who has the record alone can
 * try values. The key stays on the machine; what another key made cannot be compared.
 */
export function variableDigest(name: string, value: string | undefined): string {
  if (value === undefined) return notSet;
  return keyed(`${name}\0${value}`);
}

/** The whole environment, but for `shellVariables`. */
export function allVariablesDigest(values: Readonly<Record<string, string | undefined>>): string {
  const variables = Object.entries(values).filter(([name, value]) => value !== undefined && !shellVariables.has(name));
  return keyed(JSON.stringify(variables.sort(([one], [other]) => (one < other ? -1 : 1))));
}

/** What shells count and change by themselves. */
export const shellVariables: ReadonlySet<string> = new Set(['_', 'SHLVL', 'OLDPWD']);

function keyed(text: string): string {
  const path = keyFile(process.env);
  const key = keys.get(path) ?? readKey(path);
  keys.set(path, key);
  const id = createHash('sha256').update(key).digest('hex').slice(0, 8);
  return `${id}.${createHmac('sha256', key).update(text).digest('hex').slice(0, 32)}`;
}

/** `environment.key` in the folder where the user's programs keep their state. */
function keyFile({ XDG_STATE_HOME, LOCALAPPDATA }: NodeJS.ProcessEnv): string {
  const folder = XDG_STATE_HOME || LOCALAPPDATA || join(homedir(), '.local', 'state');
  return join(folder, 'unroll', 'environment.key');
}

/** Made where there is none. Where none can be kept, one for this process: its records can be compared with no other's. */
function readKey(path: string): Buffer {
  const own = `${path}.${process.pid}`;
  try {
    return wholeKey(path);
  } catch {
    // There is none yet.
  }
  const made = randomBytes(keyBytes);
  try {
    makeFolder(dirname(path), 0o700);
    writeFileSync(own, made, { mode: 0o600, flag: 'wx' });
    linkSync(own, path);
    return made;
  } catch {
    return orElse(() => wholeKey(path), made);
  } finally {
    rmSync(own, { force: true });
  }
}

function wholeKey(path: string): Buffer {
  const read = readFileSync(path);
  if (read.length !== keyBytes) throw new Error(`${path} is no key`);
  return read;
}

function orElse<T>(get: () => T, otherwise: T): T {
  try {
    return get();
  } catch {
    return otherwise;
  }
}
