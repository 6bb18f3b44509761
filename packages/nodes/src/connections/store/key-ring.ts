import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { ConnectionFileError } from '../connection-file-error.ts';
import { writeOwnFile } from './write-own-file.ts';

/** A key of AES-256. `id` tells keys apart and says nothing of the key: 8 hex digits of a digest of it. */
export interface SecretKey {
  readonly id: string;
  /** 32 bytes. */
  readonly bytes: Buffer;
}

/** Where keys are: a variable of the environment, and a file only its owner can read. */
export interface KeyPlaces {
  /** Value of FLOW_CONNECTION_KEY: 32 bytes as base64 or as hexadecimal digits. */
  readonly variable?: string;
  /** Absolute; undefined where there is no home folder. One key a line, the newest first. */
  readonly file?: string;
}

export const keyVariable = 'FLOW_CONNECTION_KEY';
const keyLength = 32;
const comment = '# Keys of the connections kept by flow, the newest first. Keep this file to yourself.\n';

/**
 * All keys there are; the first is the one to encrypt with.
 *
 * @throws ConnectionFileError when a key is no key, or others than the owner may read the file
 */
export function readKeys({ variable, file }: KeyPlaces): readonly SecretKey[] {
  const given = variable === undefined || variable === '' ? [] : [keyOf(variable.trim(), keyVariable)];
  return [...given, ...(file === undefined ? [] : keysOfFile(file))];
}

/**
 * Makes a new key, which becomes the one to encrypt with.
 *
 * @throws ConnectionFileError when there is no place for it
 */
export function addKey({ variable, file }: KeyPlaces): SecretKey {
  if (variable !== undefined && variable !== '') {
    throw new ConnectionFileError(`the key is given in ${keyVariable}: change it there`);
  }
  if (file === undefined) {
    throw new ConnectionFileError(`there is no home folder for a key: give one in ${keyVariable}`);
  }
  const key = keyOf(randomBytes(keyLength).toString('base64'), file);
  writeKeys(file, [key, ...keysOfFile(file)]);
  return key;
}

/** Leaves only the newest key. What older ones encrypted elsewhere cannot be read any more. */
export function forgetOldKeys({ file }: KeyPlaces): void {
  if (file !== undefined) writeKeys(file, keysOfFile(file).slice(0, 1));
}

function keysOfFile(file: string): readonly SecretKey[] {
  if (!existsSync(file)) return [];
  const mode = statSync(file).mode & 0o777;
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new ConnectionFileError(`${file} may be read by others (mode ${mode.toString(8)}): chmod 600 ${file}`);
  }
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '' && !line.startsWith('#')).map((line) => keyOf(line.trim(), file));
}

function writeKeys(file: string, keys: readonly SecretKey[]): void {
  const lines = keys.map(({ bytes }) => `${bytes.toString('base64')}\n`);
  writeOwnFile(file, comment + lines.join(''));
}

function keyOf(text: string, place: string): SecretKey {
  const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (bytes.length !== keyLength) {
    throw new ConnectionFileError(`${place} holds no key: a key is 32 bytes as base64 (openssl rand -base64 32)`);
  }
  return { id: createHash('sha256').update('unroll connection key\0').update(bytes).digest('hex').slice(0, 8), bytes };
}
