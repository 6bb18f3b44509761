import type { JsonValue } from '@unroll/engine';
import { textWidth } from '@unroll/engine/text-width';
import { diffShownWords, type TextPart, type ValueChange } from '@unroll/evals';
import { summarizeValue } from '@unroll/project/words';
import type { Style } from '../text/style.ts';

/** Cells of unchanged text that are shown on each side of a change. */
const context = 60;

/**
 * Changes of a value for a terminal, one a line or a paragraph: texts by words, all else old and new. Without colours
 * what was removed stands in `[-…-]`, what was added in `{+…+}`.
 */
export function paintChanges(
  changes: readonly ValueChange[],
  { style, limit, columns }: { readonly style: Style; readonly limit: number; readonly columns: number },
): readonly string[] {
  const lines = changes.slice(0, limit).map((change) => paintChange(change, style, columns));
  const rest = changes.length - limit;
  return rest > 0 ? [...lines, style.dim(`… ${rest} more ${rest === 1 ? 'place' : 'places'}`)] : lines;
}

function paintChange({ path, left, right }: ValueChange, style: Style, columns: number): string {
  const name = path === '' ? '' : `${style.name(path)}: `;
  if (typeof left === 'string' && typeof right === 'string') return paintText(name, diffShownWords(left, right), style);
  const width = Math.max(20, columns - textWidth(path) - 10);
  const removed = left === undefined ? '' : paintRemoved(shortValue(left, width), style);
  const added = right === undefined ? '' : paintAdded(shortValue(right, width), style);
  return `${name}${[removed, added].filter((part) => part !== '').join(left === undefined || right === undefined ? '' : ' → ')}`;
}

function shortValue(value: JsonValue, width: number): string {
  return typeof value === 'string' ? JSON.stringify(summarizeValue(value, width)) : summarizeValue(value, width);
}

/** A text on the line of its name where it fits, else on lines of its own. */
function paintText(name: string, parts: readonly TextPart[], style: Style): string {
  const shown = parts.map((part, index) => trimPart(part, index > 0, index < parts.length - 1));
  const painted = shown.map(({ kind, text }) => paintPart(kind, text, style)).join('');
  const isLong = name !== '' && shown.some(({ text }) => text.includes('\n'));
  return isLong ? `${name}\n${indented(painted)}` : `${name}${painted}`;
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}

/** Of a long unchanged part its ends, where a change is beside them. */
export function trimPart({ kind, text }: TextPart, keepsStart: boolean, keepsEnd: boolean): TextPart {
  const room = (keepsStart ? context : 0) + (keepsEnd ? context : 0);
  if (kind !== 'same' || textWidth(text) <= room + 20) return { kind, text };
  const graphemes = Array.from(
    new Intl.Segmenter('ja', { granularity: 'grapheme' }).segment(text),
    ({ segment }) => segment,
  );
  const start = keepsStart ? takeCells(graphemes, context) : '';
  const end = keepsEnd ? takeCells(graphemes.toReversed(), context, true) : '';
  return { kind, text: `${endedAtLine(start)}…${begunAtLine(end)}` };
}

/** What is left out of several lines is left out at the end of one. */
function endedAtLine(text: string): string {
  const end = text.lastIndexOf('\n');
  return end === -1 ? text : `${text.slice(0, end).trimEnd()}\n`;
}

function begunAtLine(text: string): string {
  const start = text.indexOf('\n');
  return start === -1 ? text : `\n${text.slice(start).replace(/^\n+/, '')}`;
}

function takeCells(graphemes: readonly string[], cells: number, isReversed = false): string {
  const taken: string[] = [];
  let used = 0;
  for (const grapheme of graphemes) {
    used += Math.max(1, textWidth(grapheme));
    if (used > cells) break;
    taken.push(grapheme);
  }
  return (isReversed ? taken.reverse() : taken).join('');
}

function paintPart(kind: TextPart['kind'], text: string, style: Style): string {
  if (kind === 'same') return text;
  return kind === 'removed' ? paintRemoved(text, style) : paintAdded(text, style);
}

function paintRemoved(text: string, style: Style): string {
  return style.isColored ? byLine(text, style.bad) : `[-${text}-]`;
}

function paintAdded(text: string, style: Style): string {
  return style.isColored ? byLine(text, style.good) : `{+${text}+}`;
}

/** A colour ends with its line: pagers forget it there. */
function byLine(text: string, paint: (text: string) => string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : paint(line)))
    .join('\n');
}
