import { expect, test } from 'vitest';
import { compileTemplate } from './template.ts';

/** Templates, and what fails in each rendering of them with the list `xs` known, `q` given and nothing known of the rest. */
test.for<readonly [template: string, failures: readonly string[]]>([
  ['{{ "a" - 1 }}{{ q }}', ["TypeError: unsupported operand type(s) for -: 'str' and 'int'"]],
  ['{{ none + 1 }}', ["TypeError: unsupported operand type(s) for +: 'NoneType' and 'int'"]],
  ['{{ q }}{{ xs + 1 }}', ['TypeError: can only concatenate list (not "int") to list']],
  ['{% if xs > 2 %}{{ q }}{% endif %}', ["TypeError: '>' not supported between instances of 'list' and 'int'"]],
  ['{% for x in 5 %}{{ q }}{% endfor %}', ["TypeError: 'int' object is not iterable"]],
  ['{{ dict(a=1).b.c }}', ["UndefinedError: 'dict object' has no attribute 'b'"]],
  ['{{ joiner(1, 2) }}', ['TypeError: Joiner.__init__() takes from 0 to 1 positional argument but 2 were given']],
  ['{{ q | replace("a") }}', ["TypeError: do_replace() missing 1 required positional argument: 'new'"]],
  ['{{ q | upper | sort(nope=1) }}', ["TypeError: do_sort() got an unexpected keyword argument 'nope'"]],
  ['{{ "x" ~ (q | slice("x") | list) }}', ["TypeError: 'str' object cannot be interpreted as an integer"]],
  ['{{ q | first(1) is defined }}', ['TypeError: sync_do_first() takes 1 positional argument but 2 were given']],
  [
    '{% if q is divisibleby %}{% endif %}',
    ["TypeError: test_divisibleby() missing 1 required positional argument: 'num'"],
  ],
  [
    '{{ q | join(1, 2, 3, 4) and q.x }}',
    ['TypeError: sync_do_join() takes from 1 to 3 positional arguments but 5 were given'],
  ],
  // Some value goes with them, a condition may lead elsewhere, or it is not seen.
  ['{{ q - 1 }}{{ q | round(1) }}{{ q is divisibleby "x" }}{{ q | wordwrap("a") }}', []],
  ['{% if q %}{{ "a" - 1 }}{% endif %}{{ q and ("a" - 1) }}{{ "a" - 1 if q }}', []],
  ['{% set xs = 1 %}{{ xs + 1 }}{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1) }}', []],
  ['{{ range(3) | join(q) }}{{ q | replace("a", rest) }}{{ self }}{{ loop }}', []],
  ['{% for x in xs %}{{ loop.index }}{{ x | indent("  ") }}{% endfor %}', []],
])('%s', ([text, failures]) => {
  const compiled = compileTemplate(text, {});
  if (!compiled.ok) throw new Error('it is no template');
  const { template } = compiled;
  const told = template.failures({ values: { xs: ['a'] }, unknown: new Set(['q']) });
  expect(told.map(({ errorClass, message }) => `${errorClass}: ${message}`)).toEqual(failures);
  if (failures.length === 0) return;
  for (const q of ['', 'a', 1, null, ['a'], { a: 1 }]) expect(() => template.render({ xs: ['a'], q })).toThrow();
});

test('a name that is given takes the place of a function of Jinja2', () => {
  const compiled = compileTemplate('{{ range("a") }}');
  if (!compiled.ok) throw new Error('it is no template');
  expect(compiled.template.failures({ values: {}, unknown: new Set() }).length).toBe(1);
  expect(compiled.template.failures({ values: {}, unknown: new Set(['range']) })).toEqual([]);
});

test('looking at a template ends, however long its parts would take', () => {
  const compiled = compileTemplate('{{ range(100000) | list | length }}'.repeat(500));
  if (!compiled.ok) throw new Error('it is no template');
  expect(compiled.template.failures({ values: {}, unknown: new Set() })).toEqual([]);
});
