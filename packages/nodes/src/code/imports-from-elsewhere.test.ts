import { expect, test } from 'vitest';
import { importsFromElsewhere } from './imports-from-elsewhere.ts';

test.for<readonly [path: string, text: string, found: readonly string[]]>([
  ['a.ts', "import { x } from './b.ts';\nimport fs from 'node:fs';\nimport 'path';\n", []],
  ['a.ts', "export { x } from '../src/b.ts';\n", ['../src/b.ts']],
  ['in/a.ts', "import '../b.ts';\nimport '../../b.ts';\n", ['../../b.ts']],
  [
    'a.mjs',
    "import { z } from 'zod/v4';\nimport s from '@scope/name/part';\nimport { z as y } from 'zod';\n",
    ['zod/v4 zod', '@scope/name/part @scope/name'],
  ],
  ['a.ts', "import type { Z } from 'zod';\n// import 'other'\nconst late = () => import('late');\n", []],
  ['a.ts', "import { functionNode } from '@unroll/nodes/functions';\n", []],
  ['a.test.ts', "import { expect } from 'vitest';\n", []],
  ['a.py', "import 'x'\n", []],
])('%s: %j', ([path, text, found]) => {
  const told = importsFromElsewhere(new Map([[path, text]]));
  expect(told.map(({ name, packageName }) => [name, packageName].join(' ').trim())).toEqual(found);
});
