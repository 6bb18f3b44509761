import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { ProjectFailure } from '@unroll/project/project-failure';

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const cipher = 'aes-256-gcm';

/**
 * The key that whoever begins runs and the workers have, and PostgreSQL has not: values that may be secrets go through it sealed
 * (AES-256-GCM, NIST SP 800-38D; a nonce of its own for each).
 */
export class EngineKey {
  /** Tells keys apart, and nothing about them. */
  readonly id: string;
  private readonly key: Uint8Array;

  /** @param key 32 bytes */
  constructor(key: Uint8Array) {
    this.key = key;
    this.id = createHash('sha256').update('unroll engine key').update(key).digest('hex').slice(0, 12);
  }

  /** @param about what it is: opened as anything else it is refused */
  seal(bytes: Uint8Array, about: string): Uint8Array {
    const nonce = randomBytes(nonceBytes);
    const sealing = createCipheriv(cipher, this.key, nonce).setAAD(Buffer.from(about));
    const sealed = Buffer.concat([sealing.update(bytes), sealing.final()]);
    return Buffer.concat([nonce, sealing.getAuthTag(), sealed]);
  }

  /** @throws ProjectFailure where it was sealed with another key, as something else, or was changed */
  open(sealed: Uint8Array, about: string): Uint8Array {
    const [nonce, tag] = [sealed.subarray(0, nonceBytes), sealed.subarray(nonceBytes, nonceBytes + tagBytes)];
    try {
      const opening = createDecipheriv(cipher, this.key, nonce).setAAD(Buffer.from(about)).setAuthTag(tag);
      return Buffer.concat([opening.update(sealed.subarray(nonceBytes + tagBytes)), opening.final()]);
    } catch {
      throw new ProjectFailure(`what is sealed (${about}) is not what was sealed with this key`, { kind: 'failed' });
    }
  }
}

const help = 'openssl rand -base64 32 makes one; whoever begins runs and the workers have the same.';

/**
 * @returns undefined where there is none
 * @throws ProjectFailure where FLOW_ENGINE_KEY is no key
 */
export function engineKeyOf(environment: Readonly<Record<string, string | undefined>>): EngineKey | undefined {
  const written = environment['FLOW_ENGINE_KEY']?.trim() ?? '';
  if (written === '') return undefined;
  const key = Buffer.from(written, 'base64');
  if (key.length === keyBytes && /^[A-Za-z0-9+/]{43}=$/.test(written)) return new EngineKey(key);
  throw new ProjectFailure('FLOW_ENGINE_KEY is not a key: 32 bytes in base64', { help });
}

/** The key that a run was begun with. @throws ProjectFailure where there is none here, or another one */
export function requireKey(id: string, key: EngineKey | undefined): EngineKey {
  if (key?.id === id) return key;
  const which = key === undefined ? 'it has no FLOW_ENGINE_KEY' : `its FLOW_ENGINE_KEY is another (${key.id})`;
  throw new ProjectFailure(`${which}, and the run holds values sealed with the key ${id}`);
}
