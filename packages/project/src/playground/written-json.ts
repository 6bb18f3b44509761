import { type JsonValue, parseJson } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';

/**
 * The value of an input that was written as JSON in a page.
 *
 * @throws ProjectFailure naming the input where the text is no JSON
 */
export function writtenJson(json: string, name: string): JsonValue {
  try {
    return parseJson(json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ProjectFailure(`${name} is no JSON: ${error.message}`, {
      help: 'A text stands in double quotes.',
      code: 'BadQuery',
    });
  }
}
