import { expect, test } from 'vitest';
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
