import { expect, test } from 'vitest';
import { optionalVariables } from './optional-variables.ts';

test.for<readonly [string, readonly string[]]>([
  ['{{ name }}', []],
  ['{{ name | default("you") }}', ['name']],
  ['{{name|d}}', ['name']],
  ['{{ user.name | default("you") }}', []],
  ['{{ name | upper }}', []],
  ['{% if name is defined %}{{ name }}{% endif %}', ['name']],
  ['{% if name is not defined %}x{% endif %}', ['name']],
  ['{% if history %}{{ history }}{% endif %}', ['history']],
  ['{%- if not history -%}x{% elif hits %}y{% endif %}', ['history', 'hits']],
  ['{% if a and b %}x{% endif %}', ['a', 'b']],
  ['{{ a if b else c }}', ['b']],
  ['{% if hits | length > 3 %}x{% endif %}', []],
  ['{% for hit in hits %}{{ hit }}{% endfor %}', []],
  ['if name %} default', []],
])('%s can do without %s', ([template, names]) => {
  expect([...optionalVariables(template)]).toEqual(names);
});
