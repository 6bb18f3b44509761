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

const letters = [...'abcdefghkmnpqrstuvwxyz23456789'];
const others = [...' -_/+.\n秘密'];

/** A secret of letters with some other signs between, and a second one that has the same shape and other letters. */
function twoSecrets(random: () => number, others: readonly string[]): readonly [string, string] {
  const length = 12 + Math.floor(random() * 40);
  const [one, two] = [['K'], ['Q']];
  for (let at = 0; at < length; at += 1) {
    const other = at % 7 === 6 && others.length > 0 ? pick(random, others) : undefined;
    one.push(other ?? pick(random, letters));
    two.push(other ?? pick(random, letters));
  }
  return [`${one.join('')}7`, `${two.join('')}9`];
}

function pick(random: () => number, from: readonly string[]): string {
  return from[Math.floor(random() * from.length)] as string;
}

function redactorOf(secret: string): Redactor {
  const redactor = new Redactor();
  redactor.learn(secret);
  return redactor;
}

function randomText(random: () => number, length: number): string {
  return Array.from({ length }, () => pick(random, [...letters, ...others])).join('');
}

const cuts: Readonly<Record<string, (text: string, part: string) => string>> = {
  'the begin of a text': (text, part) => `refused: ${cutText(`${text}${part}zz zz`, text.length + part.length)}`,
  'the end of a text': (text, part) => `it wrote: ${endOfText(`zz zz${part}${text}`, text.length + part.length)}`,
  'a text that a thread or a process cut': (text, part) => `${text}${part}\n… 12 more characters were printed\n`,
  'a text that only looks as if it was cut': (text, part) => `${text}${part}… (99 characters)`,
};

test.for(Object.keys(cuts))('what stands at a cut does not depend on a secret that is known: %s', (which) => {
  const cut = cuts[which] as (text: string, part: string) => string;
  for (let seed = 1; seed <= 40; seed += 1) {
    const random = randomNumbers(seed);
    const [guessed, other] = twoSecrets(random, seed % 2 === 0 ? others : []);
    const text = `${randomText(random, 60)} `;
    for (let length = 1; length < guessed.length; length += 1) {
      const parts = which === 'the end of a text' ? [guessed.slice(-length)] : [guessed.slice(0, length)];
      for (const part of parts) {
        const told = redactorOf(guessed).message(cut(text, part));
        expect(told, `seed ${seed}, ${length} characters`).toBe(redactorOf(other).message(cut(text, part)));
        expect(told).not.toContain('***');
      }
    }
  }
});

test('when a piece of a stream is told does not depend on a secret of one word', () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const random = randomNumbers(seed);
    const [guessed, other] = twoSecrets(random, [...'-_/+.']);
    const text = `${randomText(random, 20)}${guessed.slice(0, 1 + (seed % (guessed.length - 1)))}${randomText(random, 20)}`;
    const pieces = [...text.matchAll(/.{1,5}/gsu)].map(([piece]) => piece);
    const [withGuessed, withOther] = [redactorOf(guessed).pieces(), redactorOf(other).pieces()];
    for (const piece of pieces) expect(withGuessed.push(piece), text).toEqual(withOther.push(piece));
    expect(withGuessed.end()).toEqual(withOther.end());
  }
});

test('of a secret of several words, the words that came whole alone decide when a piece is told', () => {
  const [guessed, other] = ['correct horse 77 battery', 'correct mouse 77 battery'];
  for (const begin of ['correct h', 'correct m', 'correct x', 'correct ']) {
    const [withGuessed, withOther] = [redactorOf(guessed).pieces(), redactorOf(other).pieces()];
    for (const piece of ['so ', begin]) expect(withGuessed.push(piece)).toEqual(withOther.push(piece));
  }
});
