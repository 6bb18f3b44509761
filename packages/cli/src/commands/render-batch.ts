import { isMapping, type JsonObject, type JsonValue, parseJson, stringifyJson } from '@unroll/engine';
import { compileTemplate, TemplateError } from '@unroll/engine/template';

/**
 * Renders each line `{src, data, opts}` of a JSONL text as plain Jinja2 would, and gives a line `{"out"}` or
 * `{"error": "Class: message"}` for it. `opts`: `trim_blocks`, `lstrip_blocks`, `keep_trailing_newline`, `strict`.
 */
export function* renderBatch(lines: string): Generator<string> {
  for (const line of lines.split('\n')) {
    if (line.trim() !== '') yield `${stringifyJson(renderLine(line))}\n`;
  }
}

function renderLine(line: string): JsonValue {
  try {
    const asked = parseJson(line);
    const { src, data = {}, opts = {} } = isMapping(asked) ? asked : {};
    if (typeof src !== 'string' || !isMapping(data) || !isMapping(opts)) return { error: notAsked };
    return renderOne(src, data, opts);
  } catch (error) {
    if (error instanceof SyntaxError) return { error: `SyntaxError: ${error.message}` };
    throw error;
  }
}

const notAsked = 'TypeError: expected {"src": a text, "data": an object, "opts": an object}';

function renderOne(source: string, data: JsonObject, asked: JsonObject): JsonValue {
  const { trim_blocks: trims, lstrip_blocks: strips, keep_trailing_newline: keeps, strict } = asked;
  const compiled = compileTemplate(source, {
    trimBlocks: trims === true,
    lstripBlocks: strips === true,
    keepTrailingNewline: keeps === true,
    strictUndefined: strict === true,
  });
  if (!compiled.ok) {
    const [problem] = compiled.problems;
    return { error: `${problem?.errorClass}: ${problem?.message}` };
  }
  try {
    return { out: compiled.template.render(data) };
  } catch (error) {
    if (error instanceof TemplateError) return { error: `${error.problem.errorClass}: ${error.problem.message}` };
    throw error;
  }
}
