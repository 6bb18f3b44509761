import { generateKeyPairSync, sign } from 'node:crypto';

/** A key and a certificate that it signs itself, for 127.0.0.1 and localhost and for a day; PEM. */
export interface SelfSigned {
  readonly key: string;
  readonly cert: string;
}

/** An X.509 certificate (RFC 5280), its parts written in DER. */
export function selfSigned(now = new Date()): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(objectId('550403'), der(0x0c, Buffer.from('localhost')))));
  const day = 86_400_000;
  const validity = sequence(utcTime(new Date(now.getTime() - day)), utcTime(new Date(now.getTime() + day)));
  const algorithm = sequence(objectId('2a8648ce3d040302'));
  const told = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    ...[algorithm, name, validity, name],
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(authority(), alternativeNames())),
  );
  const signature = sign('sha256', told, privateKey);
  const certificate = sequence(told, algorithm, der(0x03, Buffer.of(0), signature));
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

/** It may sign certificates: itself. */
function authority(): Buffer {
  const isTrue = der(0x01, Buffer.of(0xff));
  return sequence(objectId('551d13'), isTrue, der(0x04, sequence(isTrue)));
}

function alternativeNames(): Buffer {
  const names = sequence(der(0x87, Buffer.of(127, 0, 0, 1)), der(0x82, Buffer.from('localhost')));
  return sequence(objectId('551d11'), der(0x04, names));
}

function utcTime(date: Date): Buffer {
  const digits = date.toISOString().replace(/\D/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

/** @param hex its encoded numbers */
function objectId(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return der(0x30, ...parts);
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}
