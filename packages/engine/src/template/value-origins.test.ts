import { expect, test } from 'vitest';
import { compileTemplate } from './index.ts';

const values = { foreign: 'a:b', own: 'c:d', foreigns: ['e:f'], owns: ['g:h'] };

/** With `§` as the guard, and `foreign` and `foreigns` the guarded variables. */
test.for<readonly [string, string]>([
  ['{{ own }} {{ foreign }}', 'c:d a§:b'],
  ['{{ own | upper }} {{ foreign | upper }}', 'C:D A§:B'],
  ['{{ own ~ foreign }}', 'c§:da§:b'],
  ['{% for x in owns %}{{ x }}{% endfor %}', 'g:h'],
  ['{% for x in foreigns %}{{ x }}{% endfor %}', 'e§:f'],
  ['{% for x in owns + foreigns %}{{ x }}{% endfor %}', 'g§:he§:f'],
  ['{% set x = foreign %}{% set y = x %}{{ y | trim }}', 'a§:b'],
  ['{% set x = own %}{{ x | trim }}', 'c:d'],
  ['{% set x %}k: {{ foreign }}{% endset %}{{ x }}', 'k: a§:b'],
  ['{% set x %}k: {{ own }}{% endset %}{{ x }}', 'k: c:d'],
  ['{% set x %}k: {{ own }}{% endset %}{{ x | upper }}', 'K: C:D'],
  ['{% with x = foreign %}{{ x }}{% endwith %}', 'a§:b'],
  ['{% macro m(x) %}k: {{ x }}{% endmacro %}{{ m(own) }}', 'k: c:d'],
  ['{% macro m(x) %}k: {{ x }}{% endmacro %}{{ m(foreign) }}', 'k: a§:b'],
  ['{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}k: {{ foreign }}{% endcall %}', 'k: a§:b'],
  ['{% set ns = namespace(x="") %}{% set ns.x = foreign %}{{ ns.x }}', 'a§:b'],
  ['{% set xs = [] %}{% if xs.append(foreign) %}{% endif %}{{ xs[0] }}', 'a§:b'],
  ['{% filter upper %}{{ foreign }}{% endfilter %}', 'A§:B'],
  ['{% filter upper %}{{ own }}{% endfilter %}', 'C:D'],
])('%s', ([source, rendered]) => {
  const compiled = compileTemplate(source);
  if (!compiled.ok) throw new Error(compiled.problems[0]?.message);
  const options = { guard: '§', guarded: new Set(['foreign', 'foreigns']) };
  expect(compiled.template.render(values, options)).toBe(rendered);
});
