import { Redactor } from '@unroll/engine';
import { expect, test } from 'vitest';
import { changedMarks, type RunMarksChange } from './run-marks.ts';

const redactor = new Redactor();
redactor.learn('s3cret-of-ours');
const now = { name: 'old', note: 'why', tags: ['a', 'b'] };

test.for<[RunMarksChange, object]>([
  [{}, now],
  [{ name: ' 修正前 ' }, { ...now, name: '修正前' }],
  [{ name: null }, { note: 'why', tags: ['a', 'b'] }],
  [{ name: '', note: ' ' }, { tags: ['a', 'b'] }],
  [{ tags: ['c', 'c ', 'd'] }, { ...now, tags: ['c', 'd'] }],
  [
    { addTags: ['b', 'c'], removeTags: ['a', 'none'] },
    { ...now, tags: ['b', 'c'] },
  ],
  [{ note: 'line\nline, key s3cret-of-ours' }, { ...now, note: 'line\nline, key ***' }],
])('after %j it is %j', ([change, said]) => {
  expect(changedMarks(now, change, { redactor })).toEqual(said);
});

test.for<[RunMarksChange, string]>([
  [{ name: 'two\nlines' }, 'the name of a run is one line'],
  [{ name: 'x'.repeat(201) }, 'the name of a run has at most 200 characters'],
  [{ note: 'x'.repeat(4001) }, 'the note of a run has at most 4000 characters'],
  [{ addTags: Array.from({ length: 19 }, (_, at) => String(at)) }, 'a run has at most 20 tags'],
  [{ tags: ['a,b'] }, 'a tag is a text of 1 to 60 characters on one line, without commas, not "a,b"'],
  [{ addTags: [' '] }, 'a tag is a text of 1 to 60 characters on one line, without commas, not ""'],
])('%j is refused: %s', ([change, reason]) => {
  expect(() => changedMarks(now, change, { redactor })).toThrow(reason);
});
