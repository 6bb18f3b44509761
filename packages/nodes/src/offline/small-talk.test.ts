import { expect, test } from 'vitest';
import { asksAboutItself, isSmallTalk } from './small-talk.ts';

test.for([
  ['Hi there!', true],
  ['Thanks, that was really helpful!', true],
  ['教えてくれてありがとう、助かりました', true],
  ['ありがとうございました', true],
  ['Thanks, but is a parcel kept?', false],
  ['Hello, are parcels kept on Sundays?', false],
  ['ありがとう。開示の手数料はいくらですか', false],
] as const)('"%s" is small talk: %s', ([said, expected]) => {
  expect(isSmallTalk(said)).toBe(expected);
});

test.for([
  ['Hi there!', false],
  ['Hi there, who are you and what can you do?', true],
  ['あなたは誰ですか。何ができますか', true],
] as const)('"%s" asks what answers: %s', ([said, expected]) => {
  expect(asksAboutItself(said)).toBe(expected);
});
