import { expect, test } from 'vitest';
import { type DecodedBody, decodeBody } from './decode-body.ts';

const told = (why: string): DecodedBody => ({ kind: 'no-text', message: `'utf-8' codec can't decode ${why}` });

test.for<[what: string, hex: string, decoded: DecodedBody]>([
  ['JSON', '7b7d', { kind: 'json', value: {} }],
  ['after a mark', 'efbbbf37', { kind: 'json', value: 7 }],
  ['in UTF-16', 'fffe37003800', { kind: 'json', value: 78 }],
  ['in UTF-16 without a mark', '37003800', { kind: 'json', value: 78 }],
  ['a text', 'e4b896', { kind: 'text', text: '世' }],
  ['nothing', '', { kind: 'text', text: '' }],
  ['a byte that begins nothing', '61ff', told('byte 0xff in position 1: invalid start byte')],
  ['one that goes on after nothing', '80', told('byte 0x80 in position 0: invalid start byte')],
  ['a sequence that is broken off', '61e4b8', told('bytes in position 1-2: unexpected end of data')],
  ['a sequence that does not go on', 'e441', told('byte 0xe4 in position 0: invalid continuation byte')],
  ['half of a surrogate pair', 'eda080', told('byte 0xed in position 0: invalid continuation byte')],
  ['a character written too long', 'e08080', told('byte 0xe0 in position 0: invalid continuation byte')],
  ['beyond the last character', 'f4908080', told('byte 0xf4 in position 0: invalid continuation byte')],
])('%s', ([, hex, decoded]) => {
  expect(decodeBody(Buffer.from(hex, 'hex'))).toEqual(decoded);
});
