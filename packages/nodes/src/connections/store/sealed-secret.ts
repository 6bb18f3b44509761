import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SecretKey } from './key-ring.ts';

const form = 'a256gcm';
const nonceLength = 12;
const tagLength = 16;

/**
 * A secret as it is kept: `a256gcm:<id of the key>:<base64 of nonce, cipher text and tag>`. AES-256-GCM (NIST SP 800-38D)
 * with a random nonce of 96 bits.
 *
 * @param place what the secret is of (connection and field): one moved to another place does not open
 */
export function sealSecret(secret: string, place: string, key: SecretKey): string {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: tagLength });
  cipher.setAAD(Buffer.from(place));
  const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${form}:${key.id}:${sealed.toString('base64')}`;
}

export type OpenedSecret =
  | { readonly ok: true; readonly secret: string }
  /** `keyId` is that of the missing key; absent where the text was altered, or stands at another place. */
  | { readonly ok: false; readonly keyId?: string };

export function openSecret(sealed: string, place: string, keys: readonly SecretKey[]): OpenedSecret {
  const [kind, keyId = '', text = ''] = sealed.split(':');
  const bytes = Buffer.from(text, 'base64');
  if (kind !== form || bytes.length < nonceLength + tagLength) return { ok: false };
  const key = keys.find(({ id }) => id === keyId);
  if (key === undefined) return { ok: false, keyId };
  const nonce = bytes.subarray(0, nonceLength);
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: tagLength });
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(bytes.subarray(-tagLength));
  try {
    const body = bytes.subarray(nonceLength, -tagLength);
    return { ok: true, secret: Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8') };
  } catch {
    return { ok: false };
  }
}
