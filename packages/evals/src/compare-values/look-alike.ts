import { diffWords, type TextPart } from './diff-words.ts';

/** Words of a text's change as they are shown: where they look alike, the characters that differ are written out, as `\u00a0`. */
export function diffShownWords(left: string, right: string): readonly TextPart[] {
  const parts = diffWords(left, right);
  return parts.map((part, at) => {
    if (part.kind === 'same') return part;
    const [one, other] = part.kind === 'removed' ? [part, parts[at + 1]] : [parts[at - 1], part];
    const before = one?.kind === 'removed' ? one.text : '';
    const after = other?.kind === 'added' ? other.text : '';
    const alike = lookAlike(before, after);
    return { kind: part.kind, text: alike?.[part.kind === 'removed' ? 'left' : 'right'] ?? part.text };
  });
}

/** Two texts that look the same, with the characters that differ written out: of another normal form, of no width, another blank. */
export function lookAlike(left: string, right: string): { readonly left: string; readonly right: string } | undefined {
  if (drawn(left) !== drawn(right)) return undefined;
  const [lefts, rights] = [new Set(left), new Set(right)];
  const isOwn = (character: string): boolean => lefts.has(character) !== rights.has(character);
  // Where both have the same ones in another order or number, all that may be meant is written out.
  const isMeant = [...left, ...right].some(isOwn) ? isOwn : (character: string) => !/[\n\x21-\x7e]/.test(character);
  return { left: escaped(left, isMeant), right: escaped(right, isMeant) };
}

/** Radicals (U+2E80 to U+2FDF) look as the characters they stand for do; full and half width do not. */
function drawn(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\u2e80-\u2fdf]/g, (radical) => radical.normalize('NFKC'))
    .replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll(/[\p{Z}\t]/gu, ' ');
}

function escaped(text: string, isMeant: (character: string) => boolean): string {
  return Array.from(text, (character) => (isMeant(character) ? writtenOut(character) : character)).join('');
}

function writtenOut(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === '\r') return '\\r';
  if (character === '\t') return '\\t';
  return code > 0xff_ff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
