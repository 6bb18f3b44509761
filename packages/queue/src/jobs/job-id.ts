import { createHash } from 'node:crypto';

/** Of ours alone: a random UUID. */
const namespace = Buffer.from('5f1c0f2e7a0b4c6d9f3a2b8c41d7e690', 'hex');

/** The UUID of a name, version 5 (RFC 9562, 5.5): a job that is inserted again is the same job. */
export function jobId(name: string): string {
  const bytes = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
