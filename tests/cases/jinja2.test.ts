import { expect, test } from 'vitest';
import { compileTemplate, TemplateError, type TemplateOptions } from '../../packages/engine/src/template/index.ts';
import { parseJson } from '../../packages/engine/src/value/json.ts';
import { readCaseText } from './case-file.ts';

interface Case {
  readonly id: number;
  readonly cat: string;
  readonly src: string;
  readonly data: Record<string, unknown>;
  readonly opts: Record<string, boolean>;
  readonly expected: string | null;
  readonly error: string | null;
}

interface Snippet {
  readonly name: string;
  readonly template: string;
  readonly context: Record<string, unknown>;
  readonly expected: string;
}

function read<Shape>(name: string): Shape {
  return parseJson(readCaseText(name)) as Shape;
}

function rendered(source: string, data: Record<string, unknown>, options: TemplateOptions): string {
  const compiled = compileTemplate(source, options);
  if (!compiled.ok) return `!!${compiled.problems[0]?.errorClass}`;
  try {
    return compiled.template.render(data);
  } catch (error) {
    if (error instanceof TemplateError) return `!!${error.problem.errorClass}`;
    throw error;
  }
}

for (const { id, cat, src, data, opts, expected, error } of read<readonly Case[]>('jinja2.json')) {
  test(`jinja2 ${id} ${cat}: ${src}`, () => {
    const options = {
      trimBlocks: opts['trim_blocks'] === true,
      lstripBlocks: opts['lstrip_blocks'] === true,
      keepTrailingNewline: opts['keep_trailing_newline'] === true,
      strictUndefined: opts['strict'] === true,
    };
    expect(rendered(src, data, options)).toBe(error === null ? expected : `!!${error.split(':')[0]}`);
  });
}

for (const { name, template, context, expected } of read<{ cases: readonly Snippet[] }>('jinja2_snippets.json').cases) {
  test(`snippet ${name}: ${template}`, () => {
    expect(rendered(template, context, {})).toBe(expected);
  });
}
