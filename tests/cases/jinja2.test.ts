import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '@unroll/engine';
import { compileTemplate, TemplateError, type TemplateOptions } from '@unroll/engine/template';
import { expect, test } from 'vitest';
import { casesFolder } from './case-file.ts';

interface JinjaCase {
  readonly id: number;
  readonly cat: string;
  readonly src: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly opts: {
    readonly trim_blocks?: boolean;
    readonly lstrip_blocks?: boolean;
    readonly keep_trailing_newline?: boolean;
    readonly strict?: boolean;
  };
  readonly expected: string | null;
  readonly error: string | null;
}

interface Snippet {
  readonly name: string;
  readonly template: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly expected: string;
}

const read = (name: string): unknown => parseJson(readFileSync(join(casesFolder, name), 'utf8'));

test.for(read('jinja2.json') as readonly JinjaCase[])('$id $cat: $src', ({ src, data, opts, expected, error }) => {
  const options = {
    trimBlocks: opts.trim_blocks === true,
    lstripBlocks: opts.lstrip_blocks === true,
    keepTrailingNewline: opts.keep_trailing_newline === true,
    strictUndefined: opts.strict === true,
  };
  const wanted = error === null ? { text: expected } : { errorClass: classOf(error) };
  expect(rendered(src, data, options)).toEqual(wanted);
});

test.for((read('jinja2_snippets.json') as { readonly cases: readonly Snippet[] }).cases)(
  '$name',
  ({ template, context, expected }) => {
    const wanted = expected.startsWith('!!') ? { errorClass: expected.slice(2) } : { text: expected };
    expect(rendered(template, context, {})).toEqual(wanted);
  },
);

function rendered(text: string, data: Readonly<Record<string, unknown>>, options: TemplateOptions): unknown {
  const compiled = compileTemplate(text, options);
  if (!compiled.ok) return { errorClass: compiled.problems[0]?.errorClass };
  try {
    return { text: compiled.template.render(data) };
  } catch (error) {
    if (error instanceof TemplateError) return { errorClass: error.errorClass };
    throw error;
  }
}

/** Error texts are Python's; the class is compared, and the texts in the engine's own table. */
function classOf(error: string): string {
  return error.slice(0, error.indexOf(':'));
}
