import { articleLevel, headingLine } from './heading-line.ts';
import { type Block, type Section, sectionsOf } from './section.ts';

/** A plain text: paragraphs are parted by blank lines, headings are known by how they look. */
export function readText(text: string): readonly Section[] {
  return sectionsOf(blocksOf(text.replaceAll('\r\n', '\n')));
}

function* blocksOf(text: string): Generator<Block> {
  for (const paragraph of text.split(/\n[ \t　]*\n/u)) yield* paragraphBlocks(paragraph.split('\n'));
}

/** Laws caption an article on the line above it: `（目的）`. */
const isCaption = /^\s*[（(][^）)]{1,40}[）)]\s*$/u;

/** Headings may stand on a line of their own right above their text. */
function* paragraphBlocks(lines: readonly string[]): Generator<Block> {
  let held: string[] = [];
  for (const line of lines) {
    const found = headingLine(line);
    if (found === undefined) {
      held.push(line);
      continue;
    }
    const caption = found.level === articleLevel && isCaption.test(held.at(-1) ?? '') ? (held.pop() ?? '').trim() : '';
    yield { kind: 'paragraph', text: held.join('\n') };
    held = found.rest === '' ? [] : [found.rest];
    yield { kind: 'heading', level: found.level, text: `${found.heading}${caption}` };
  }
  yield { kind: 'paragraph', text: held.join('\n') };
}
