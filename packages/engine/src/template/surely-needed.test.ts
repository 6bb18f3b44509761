import { expect, test } from 'vitest';
import { compileTemplate } from './template.ts';

/** Templates, and the variables without which they fail whatever the others are. */
test.for<readonly [template: string, needed: readonly string[]]>([
  ['{{ a.b }}', ['a']],
  ["{{ a['b'].c }} {{ x }}", ['a']],
  ['{{ a() }}', ['a']],
  ['{{ a.b | default("") }}', ['a']],
  ['{{ a.b is defined }}', ['a']],
  ['{{ x ~ a.b }}', ['a']],
  ['{{ "%s" | format(a.b) }}', ['a']],
  ['{% for i in a.items %}{{ x.y }}{% endfor %}', ['a']],
  ['{% if a.b %}{{ x.y }}{% endif %}', ['a']],
  ['{% set s = a.b %}{{ s.c }}', ['a']],
  ['{% with w = a.b %}{{ w.c }}{% endwith %}', ['a']],
  ['{{ a + 1 }}', ['a']],
  ['{{ 2 * a }}', ['a']],
  ['{{ a % 2 }}', ['a']],
  ['{{ -a }}', ['a']],
  ['{{ "%s" % a }}', []],
  ['{{ x in a }}', []],
  ['{{ a }}', []],
  ['{% for i in a %}{{ i.b }}{% endfor %}', []],
  ['{% if x %}{{ a.b }}{% endif %}', []],
  ['{{ a.b if x }}', []],
  ['{{ x and a.b }}', []],
  ['{% if not x %}{% set a = {"b": 1} %}{% endif %}{{ a.b }}', []],
  ['{% macro m() %}{{ a.b }}{% endmacro %}', []],
  ['{% with a = {"b": 1} %}{{ a.b }}{% endwith %}{{ a }}', []],
])('%s needs %j', ([text, needed]) => {
  const compiled = compileTemplate(text, {});
  if (!compiled.ok) throw new Error('it is no template');
  const { variables, render } = compiled.template;
  expect(variables.filter(({ isNeeded }) => isNeeded).map(({ name }) => name)).toEqual(needed);
  // With all others empty none is read that is not needed; as it is said, so it is.
  if (needed.length === 0) expect(() => render({ x: '' })).not.toThrow();
  else expect(() => render({ x: { y: { z: 1 } } })).toThrow(/is undefined/);
});
