import { textWidth } from '@unroll/engine/text-width';

const cell = 8.4;
const lineHeight = 20;
const margin = 14;
const colors: Readonly<Record<string, string>> = { 31: '#e5534b', 32: '#57ab5a', 33: '#c69026', 36: '#39c5cf' };

/** Lines as a terminal shows them, as a picture; every piece is held to its cells whatever the font. */
export function ansiSvg(lines: readonly string[], columns: number): string {
  const width = Math.ceil(columns * cell + 2 * margin);
  const height = lines.length * lineHeight + 2 * margin;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="ui-monospace, Menlo, Consolas, 'Noto Sans Mono CJK JP', monospace" font-size="14">`,
    `<rect width="${width}" height="${height}" rx="8" fill="#1c2128"/>`,
    ...lines.flatMap((line, at) => lineTexts(line, margin + at * lineHeight + 14)),
    '</svg>',
    '',
  ].join('\n');
}

function lineTexts(line: string, y: number): readonly string[] {
  let column = 0;
  let style = { color: '#adbac7', weight: '', opacity: '' };
  const texts: string[] = [];
  const [plain = '', ...coded] = line.split('\u001B[');
  for (const [code, piece] of [['', plain], ...coded.map(splitCode)] as const) {
    if (code !== '') style = styled(style, code);
    for (const part of piece.split(/( {2,}|^ | $)/)) {
      const width = textWidth(part);
      const place = { x: margin + column * cell, y, width: width * cell };
      if (/^[━╌]+$/.test(part)) texts.push(lineElement(part, place, style));
      else if (part.trim() !== '') texts.push(textElement(part, place, style));
      column += width;
    }
  }
  return texts;
}

/** `32m━━` is code 32 and what it colours. */
function splitCode(text: string): readonly [string, string] {
  const end = text.indexOf('m');
  return [text.slice(0, end), text.slice(end + 1)];
}

type Style = { readonly color: string; readonly weight: string; readonly opacity: string };

function styled(style: Style, code: string): Style {
  if (code === '1') return { ...style, weight: ' font-weight="bold"' };
  if (code === '2') return { ...style, opacity: ' opacity="0.6"' };
  if (code === '22') return { ...style, weight: '', opacity: '' };
  return { ...style, color: colors[code] ?? '#adbac7' };
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Letters that draw a line are drawn as one: fonts do not agree on their width. */
function lineElement(text: string, { x, y, width }: Place, { color, opacity }: Style): string {
  const dashes = text.startsWith('╌') ? ' stroke-dasharray="4.2 4.2" stroke-width="1"' : ' stroke-width="3"';
  const end = (x + width).toFixed(1);
  return `<line x1="${x.toFixed(1)}" y1="${y - 5}" x2="${end}" y2="${y - 5}" stroke="${color}"${dashes}${opacity}/>`;
}

function textElement(text: string, { x, y, width }: Place, { color, weight, opacity }: Style): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x.toFixed(1)}" y="${y}" fill="${color}"${weight}${opacity} textLength="${width.toFixed(1)}" lengthAdjust="spacingAndGlyphs" xml:space="preserve">${escaped}</text>`;
}
