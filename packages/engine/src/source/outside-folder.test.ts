import { expect, test } from 'vitest';
import { wayIntoFolder } from './outside-folder.ts';

const ways = 'move the file into the folder, or list it under "additional_includes"';

test.for([
  ['../ask.jinja2', ways],
  ['../faq.index', ways],
  [
    '../src/tools.ts',
    `${ways}; or write a file of the folder that hands it on: \`export { … } from "../src/tools.ts"\``,
  ],
])('how a flow comes to %s', ([path = '', told]) => {
  expect(wayIntoFolder(path)).toBe(told);
});
