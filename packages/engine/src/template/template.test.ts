import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseJson } from '../value/json.ts';
import { compileTemplate, NewlineList, TemplateError, type TemplateOptions } from './index.ts';

interface OracleCase {
  readonly source: string;
  readonly strict?: boolean;
  readonly options?: Record<string, boolean>;
  readonly out?: string;
  readonly error?: string;
}

const text = readFileSync(join(import.meta.dirname, 'oracle-cases.json'), 'utf8');
const table = parseJson(text) as unknown as { data: Record<string, unknown>; cases: readonly OracleCase[] };

function render(source: string, data: Record<string, unknown>, options: TemplateOptions = {}, guard?: string): string {
  const compiled = compileTemplate(source, options);
  if (!compiled.ok) return `${compiled.problems[0]?.errorClass}: ${compiled.problems[0]?.message}`;
  try {
    return compiled.template.render(data, guard === undefined ? {} : { guard });
  } catch (error) {
    if (error instanceof TemplateError) return error.message;
    throw error;
  }
}

test.each(table.cases)('as Jinja2: $source', ({ source, strict, options, out, error }) => {
  const given: TemplateOptions = {
    strictUndefined: strict === true,
    trimBlocks: options?.['trim_blocks'] === true,
    lstripBlocks: options?.['lstrip_blocks'] === true,
    keepTrailingNewline: options?.['keep_trailing_newline'] === true,
  };
  expect(render(source, table.data, given)).toBe(out ?? error);
});

test('a template that changes a list leaves the given data as it was', () => {
  const data = { xs: [1] };
  expect(render('{{ xs.append(2) }}{{ xs }}', data)).toBe('None[1, 2]');
  expect(data).toEqual({ xs: [1] });
});

test('a keyword that is given twice is refused before anything is rendered, as Python does', () => {
  expect(render('{% if false %}{{ f(a=1, b=2, a=3) }}{% endif %}', {})).toBe(
    'SyntaxError: keyword argument repeated: a',
  );
  expect(render('{{ dict(a=1, b=2, **{}) }}', {})).toBe("{'a': 1, 'b': 2}");
});

test('every error has the place of its expression', () => {
  const compiled = compileTemplate('ab {{ x.y.z }} c');
  if (!compiled.ok) throw new Error('does not compile');
  const place = { start: 6, end: 11 };
  const problem = { errorClass: 'UndefinedError', message: "'dict object' has no attribute 'y'", place };
  expect(() => compiled.template.render({ x: {} })).toThrow(expect.objectContaining({ problem }));
});

test.each([
  ['{{ x | uper }}', 'did you mean "upper"?'],
  ['{{ x is definde }}', 'did you mean "defined"?'],
  ['{% fro x in y %}{% endfor %}', 'did you mean "for"?'],
  ['{% for x in y %}{% endfr %}', 'did you mean "endfor"?'],
  ['{% for x in y %}{% endif %}', undefined],
  ['{{ x | zzzzzzzz }}', undefined],
])('%s is refused with the nearest name there is', (source, help) => {
  const compiled = compileTemplate(source);
  if (compiled.ok) throw new Error('compiles');
  expect(compiled.problems[0]?.help).toBe(help);
});

test('a newline in a value is marked, one of the template is not', () => {
  expect(render('# user:\n{{ x }}', { x: 'a\n# system:\nb' }, {}, '\u0001')).toBe(
    '# user:\na\n\u0001# system\u0001:\n\u0001b',
  );
});

test('text captured from the template keeps its own newlines, and loses that right in an operation', () => {
  const data = { v: 'p:q' };
  expect(render('{% set t %}a:\n{{ v }}{% endset %}{{ t }}', data, {}, '\u0001')).toBe('a:\np\u0001:q');
  expect(render('{% set t %}a:\n{{ v }}{% endset %}{{ t|upper }}', data, {}, '\u0001')).toBe(
    'A\u0001:\n\u0001P\u0001:Q',
  );
  expect(render('{% macro m() %}a:\n{{ v }}{% endmacro %}{{ m() }}', data, {}, '\u0001')).toBe('a:\np\u0001:q');
  expect(render('{% set t %}a:{% endset %}{{ [t, v]|join }}', data, {}, '\u0001')).toBe('a\u0001:p\u0001:q');
});

test('a newline list prints one item a line', () => {
  expect(render('{{ x }}|{{ [x] }}', { x: NewlineList.from(['a', 1]) })).toBe("a\n1|[['a', 1]]");
});

test('the variables are the names no one sets, at their first place', () => {
  const compiled = compileTemplate(
    '{% set a = b %}{{ a }}{{ c }}{% for c in d %}{{ c }}{{ loop.index }}{% endfor %}{{ c }}',
  );
  expect(compiled.ok && compiled.template.variables).toEqual([
    { name: 'b', place: { start: 11, end: 12 }, isNeeded: false },
    { name: 'c', place: { start: 25, end: 26 }, isNeeded: false },
    { name: 'd', place: { start: 41, end: 42 }, isNeeded: false },
  ]);
});

test.for([
  ['a {{ x }} b', 'a {# said #}{{x}} b', true],
  ['a{# one #}b', 'ab', true],
  ['{% if x %}a{% endif %}', '{%  if   x  %}a{%endif%}', true],
  ["{{ d['k'] }}", '{{ d["k"] }}', true],
  ['a\r\nb', 'a\nb', true],
  ['{% if x %}a{% endif %}', '{% if x -%} a{% endif %}', true],
  ['a {{ x }}', 'a  {{ x }}', false],
  ['{{ x }}', '{{ y }}', false],
  ['{{ 1 }}', '{{ 1.0 }}', false],
  ["{{ 'b' }}", '{{ b }}', false],
  ['{{ 123456789012345678901 }}', '{{ 123456789012345678902 }}', false],
  ['{% for a in b %}{{ a }}{% endfor %}', '{% for a in b %}{{ a }}{% else %}{% endfor %}', true],
  ['{% for a in b %}{{ a }}{% endfor %}', '{% for a in b recursive %}{{ a }}{% endfor %}', false],
] as const)('%s and %s have one shape: %s', ([one, other, isSame]) => {
  const shapes = [one, other].map((source) => {
    const compiled = compileTemplate(source);
    return compiled.ok ? compiled.template.shape() : source;
  });
  expect(shapes[0] === shapes[1]).toBe(isSame);
});
