import { isMapping, type JsonObject, type JsonValue, type RowScope } from '@unroll/engine';

/** What a prompt node rendered: its text, and the same with marks where values of the flow's inputs stand. */
export interface PromptResult {
  readonly text: string;
  readonly marked: string;
  readonly mark: string;
}

/**
 * What a prompt node puts beside its output, `{guards}`: the places in the text at which marks stand, from 0, rising. In the
 * output, a text, it can no longer be seen which line is the template's and which came from a user.
 */
export function besidePrompt({ marked, mark }: Pick<PromptResult, 'marked' | 'mark'>): JsonObject {
  const guards: number[] = [];
  let place = 0;
  for (const part of marked.split(mark)) {
    place += part.length;
    guards.push(place);
  }
  return { guards: guards.slice(0, -1) };
}

/**
 * What `node` rendered in this row, in this attempt or an earlier one; undefined where it is no prompt node, or rendered another
 * text.
 *
 * @param markFor gives a character that stands nowhere in the text
 */
export function promptResult(
  row: RowScope | undefined,
  node: string,
  text: unknown,
  markFor: (text: string) => string,
): PromptResult | undefined {
  const handed = row?.handed(node);
  if (handed === undefined || typeof text !== 'string' || handed.output !== text) return undefined;
  const guards = guardsOf(handed.beside);
  if (guards === undefined) return undefined;
  if (guards.length === 0) return { text, marked: text, mark: '' };
  const mark = markFor(text);
  return { text, marked: withMarks(text, guards, mark), mark };
}

function guardsOf(beside: JsonValue | undefined): readonly number[] | undefined {
  const guards = beside !== undefined && isMapping(beside) ? beside['guards'] : undefined;
  return Array.isArray(guards) ? (guards as readonly number[]) : undefined;
}

function withMarks(text: string, guards: readonly number[], mark: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const place of guards) {
    parts.push(text.slice(from, place));
    from = place;
  }
  return [...parts, text.slice(from)].join(mark);
}
