import { expect, test } from 'vitest';
import { EncodingEvidence } from './encoding-evidence.ts';

/** Hiragana in CP932, most of which is UTF-8 of two bytes by chance where it stands in a row. */
const hiragana = (second: readonly number[]): readonly number[] => second.flatMap((byte) => [0x82, byte]);

test.for<readonly [name: string, bytes: readonly number[], encoding: string]>([
  ['のののの in CP932', hiragana(new Array<number>(200).fill(0xcc)), 'cp932'],
  ['とのはにの in CP932', hiragana([0xc6, 0xcc, 0xcd, 0xc9, 0xcc]), 'cp932'],
  ['らあらあ in CP932', hiragana(new Array<number[]>(50).fill([0xe7, 0xa0]).flat()), 'cp932'],
  ['るをんるをん in CP932', hiragana([0xe9, 0xf0, 0xf1, 0xe9, 0xf0, 0xf1]), 'cp932'],
  ['漢字 alone in EUC-JP', [0xb8, 0xc4, 0xbf, 0xcd, 0xbe, 0xf0, 0xca, 0xf3], 'euc-jp'],
  ['個個個 in CP932', new Array<number[]>(200).fill([0x8c, 0xc2]).flat(), 'cp932'],
  ['Straße in UTF-8, a byte of another', [...Buffer.from('Straße '.repeat(9)), 0xe9], 'utf-8'],
  ['ｱｲｳｴ in CP932', [0xb1, 0xb2, 0xb3, 0xb4], 'cp932'],
  ['Cyrillic in UTF-8, a byte of another', [...Buffer.from('привет мир'), 0xff], 'utf-8'],
  ['emoji in UTF-8, a byte of another', [...Buffer.from('😀😀'), 0x93], 'utf-8'],
  ['two zero bytes of one place in ASCII', [...Buffer.from('q,expected\na\0b,a\0b!\n')], 'utf-8'],
  ['two zero bytes of one place in UTF-8', [...Buffer.from('q,日本\na\0b,a\0b!\n')], 'utf-8'],
  ['ASCII in UTF-16', [...Buffer.from('q,a\nb,c\n', 'utf16le')], 'utf-16le'],
  ['Japanese in UTF-16', [...Buffer.from('質問,答え\nこれは何ですか,日本語のテキストです\n', 'utf16le')], 'utf-16le'],
  ['a zero byte in UTF-8', [...Buffer.from('日本語\0')], 'utf-8'],
])('%s', ([, bytes, encoding]) => {
  for (const size of [bytes.length, 1, 7]) {
    const evidence = new EncodingEvidence();
    for (let at = 0; at < bytes.length; at += size) evidence.add(Uint8Array.from(bytes.slice(at, at + size)));
    expect(evidence.decide(), `${size} bytes at a time`).toBe(encoding);
  }
});

test.for(['utf-8', 'shift_jis', 'euc-jp'])('every character of the Japanese sets in %s reads as such', (label) => {
  const decoder = new TextDecoder(label, { fatal: true });
  const evidence = new EncodingEvidence();
  for (let code = 0x3041; code <= 0x3096; code += 1) {
    const bytes = label === 'utf-8' ? Buffer.from(String.fromCharCode(code)) : encoded(decoder, code, label);
    if (bytes !== undefined) evidence.add(bytes);
  }
  expect(evidence.decide()).toBe(label === 'shift_jis' ? 'cp932' : label);
});

/** The two bytes that a decoder reads as a hiragana; undefined where there are none. */
function encoded(decoder: InstanceType<typeof TextDecoder>, code: number, label: string): Uint8Array | undefined {
  const [lead, from] = label === 'shift_jis' ? [0x82, 0x9f] : [0xa4, 0xa1];
  const bytes = Uint8Array.from([lead, from + code - 0x3041]);
  try {
    return decoder.decode(bytes) === String.fromCharCode(code) ? bytes : undefined;
  } catch {
    return undefined;
  }
}
