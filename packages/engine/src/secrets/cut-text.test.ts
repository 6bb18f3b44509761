import { expect, test } from 'vitest';
import { cutText, endOfText } from './cut-text.ts';
import { Redactor } from './redactor.ts';

/** Numbers from 0 to 1, the same ones for a seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const signs = [...'abcdefgh0123456789 _-/+=.:;"\'\\\n\t秘密鍵', '😀'];

function randomText(random: () => number, length: number): string {
  return Array.from({ length }, () => signs[Math.floor(random() * signs.length)]).join('');
}

test.for([(left: number) => `\n… ${left} more characters were printed\n`, (left: number) => `… (${left} characters)`])(
  'a text that was cut tells no part of a secret, wherever it was cut: %#',
  (note) => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const random = randomNumbers(seed);
      // Long ones and ones with blanks too: no word's end tells where they end.
      const secret = `K${randomText(random, 12 + Math.floor(random() * (seed % 5 === 0 ? 1500 : 40)))}Z7`;
      const redactor = new Redactor();
      redactor.learn(secret);
      const [before, after] = [randomText(random, 30), randomText(random, 30)];
      const text = `${before} ${secret} ${after}`;
      const begin = before.length + 1;
      for (let cut = begin; cut <= begin + secret.length; cut += Math.max(1, Math.floor(secret.length / 40))) {
        const told = redactor.message(text.slice(0, cut) + note(text.length - cut));
        const part = secret.trim().slice(0, Math.min(4, Math.max(1, cut - begin)));
        if (cut > begin) expect(told.slice(begin), `seed ${seed}, cut ${cut}`).not.toContain(part);
        expect(told.endsWith(note(text.length - cut))).toBe(true);
      }
    }
  },
);

test('a text that was not cut keeps its end', () => {
  const redactor = new Redactor();
  redactor.learn('Kopen sesame 77');
  for (const text of ['it ends in Kopen', 'it ends in Kopen…', 'Kopen more characters were printed']) {
    expect(redactor.message(text)).toBe(text);
  }
});

test('a secret that a cut halved is told nowhere, whichever end was cut and whatever stands round the text', () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const random = randomNumbers(seed);
    const secret = `K${randomText(random, 12 + Math.floor(random() * 40))}Z7`;
    const redactor = new Redactor();
    redactor.learn(secret);
    const [before, after] = [randomText(random, 30), randomText(random, 30)];
    const text = `${before} ${secret} ${after}`;
    const parts = partsOf(secret).filter((part) => !before.includes(part) && !after.includes(part));
    for (let cut = 2; cut < secret.length - 1; cut += 1) {
      const begin = redactor.message(`refused: ${JSON.stringify(cutText(text, before.length + 1 + cut))}.`);
      const end = redactor.message(`it wrote: ${endOfText(text, cut + 1 + after.length)}.`);
      for (const part of parts) expect(begin + end, `seed ${seed}, cut ${cut}`).not.toContain(part);
    }
  }
});

function partsOf(secret: string): readonly string[] {
  return Array.from({ length: secret.length - 3 }, (_, at) => secret.slice(at, at + 4));
}

test.for([
  ['short enough', 'one two', 7, 'one two', 'one two'],
  ['cut', 'one two three', 7, 'one two… (13 characters)', '… (13 characters, the end:) three'],
  [
    'cut within a line',
    'first line\nsecond line',
    14,
    'first line\n… (22 characters)',
    '… (22 characters, the end:) second line',
  ],
  ['no half signs', '😀😀😀', 3, '😀… (6 characters)', '… (6 characters, the end:)😀'],
] as const)('%s', ([, text, max, begin, end]) => {
  expect([cutText(text, max), endOfText(text, max)]).toEqual([begin, end]);
});
