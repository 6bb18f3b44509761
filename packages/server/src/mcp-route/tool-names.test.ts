import { expect, test } from 'vitest';
import { toolNames } from './tool-names.ts';

const long = 'a'.repeat(70);

test.for<[flows: readonly string[], names: readonly string[]]>([
  [['privacy-agent'], ['privacy-agent']],
  [['my flow.v2'], ['my_flow_v2']],
  [
    ['法令', '規約', '__'],
    ['__', '___2', '___3'],
  ],
  [
    ['a b', 'a.b_2', 'a.b'],
    ['a_b', 'a_b_2', 'a_b_3'],
  ],
  [
    [long, `${long}b`],
    ['a'.repeat(64), `${'a'.repeat(62)}_2`],
  ],
])('flows %j are the tools %j', ([flows, names]) => {
  expect(toolNames(flows)).toEqual(names);
});
