import { textWidth } from '@unroll/engine/text-width';
import type { Box } from '@unroll/project/graph';
import {
  curveThrough,
  detailText,
  type PlacedArrow,
  type PlacedBox,
  type PlacedGroup,
  type PlacedPicture,
  round,
  textPixels,
  titleArea,
} from '@unroll/project/graph';

/**
 * The placed picture as one SVG file: no script, no font or image from elsewhere, readable on light and dark pages.
 *
 * @param ids what the ids in it begin with: two pictures on one page may not share any
 */
export function stringifySvg(placed: PlacedPicture, ids = 'head'): string {
  const { width, height, picture } = placed;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="${fonts}">`,
    `<title>${escapeXml(picture.title)}</title>`,
    `<style>${cssFor(new Set(placed.boxes.map(({ box }) => paintOf(box))))}</style>`,
    `<defs>${['data', 'condition', 'again'].map((kind) => arrowHead(kind, ids)).join('')}</defs>`,
    ...placed.groups.map(groupShape),
    ...placed.arrows.map((arrow) => arrowLine(arrow, ids)),
    ...placed.groups.map(groupLabel),
    ...placed.boxes.map(boxShape),
    ...placed.arrows.map(arrowLabel),
    '</svg>',
    '',
  ]
    .filter((line, index, all) => line !== '' || index === all.length - 1)
    .join('\n');
}

const fonts =
  "system-ui, -apple-system, 'Segoe UI', 'Hiragino Sans', 'Noto Sans CJK JP', 'Noto Sans JP', 'Yu Gothic UI', Meiryo, sans-serif";

interface Paint {
  readonly fill: string;
  readonly line: string;
  readonly ink: string;
}

const light: Readonly<Record<string, Paint>> = {
  io: { fill: '#f1f5f9', line: '#64748b', ink: '#0f172a' },
  other: { fill: '#f1f5f9', line: '#475569', ink: '#0f172a' },
  llm: { fill: '#f5f3ff', line: '#7c3aed', ink: '#2e1065' },
  python: { fill: '#eff6ff', line: '#2563eb', ink: '#172554' },
  prompt: { fill: '#fffbeb', line: '#d97706', ink: '#451a03' },
  lookup: { fill: '#ecfdf5', line: '#059669', ink: '#022c22' },
  loop: { fill: '#fdf2f8', line: '#db2777', ink: '#500724' },
  Completed: { fill: '#ecfdf5', line: '#059669', ink: '#022c22' },
  Stepped: { fill: '#ecfdf5', line: '#059669', ink: '#022c22' },
  Bypassed: { fill: '#f8fafc', line: '#94a3b8', ink: '#64748b' },
  Failed: { fill: '#fef2f2', line: '#dc2626', ink: '#450a0a' },
  Canceled: { fill: '#fff7ed', line: '#ea580c', ink: '#431407' },
  NotRun: { fill: '#ffffff', line: '#cbd5e1', ink: '#94a3b8' },
};

const dark: Readonly<Record<string, Paint>> = {
  io: { fill: '#1e293b', line: '#94a3b8', ink: '#f1f5f9' },
  other: { fill: '#1e293b', line: '#94a3b8', ink: '#f1f5f9' },
  llm: { fill: '#2e1f5e', line: '#a78bfa', ink: '#f5f3ff' },
  python: { fill: '#172a55', line: '#60a5fa', ink: '#eff6ff' },
  prompt: { fill: '#43290b', line: '#fbbf24', ink: '#fffbeb' },
  lookup: { fill: '#06372b', line: '#34d399', ink: '#ecfdf5' },
  loop: { fill: '#4a1030', line: '#f472b6', ink: '#fdf2f8' },
  Completed: { fill: '#06372b', line: '#34d399', ink: '#ecfdf5' },
  Stepped: { fill: '#06372b', line: '#34d399', ink: '#ecfdf5' },
  Bypassed: { fill: '#1e293b', line: '#64748b', ink: '#94a3b8' },
  Failed: { fill: '#450f0f', line: '#f87171', ink: '#fef2f2' },
  Canceled: { fill: '#43200b', line: '#fb923c', ink: '#fff7ed' },
  NotRun: { fill: '#0f172a', line: '#475569', ink: '#64748b' },
};

/** @param used the paints of its boxes */
function cssFor(used: ReadonlySet<string>): string {
  return [
    '.title{font-size:14px;font-weight:600}',
    '.detail{font-size:11.5px;opacity:.75}',
    '.label{font-size:12px;paint-order:stroke;stroke-width:4px;stroke-linejoin:round}',
    '.group{font-size:12px;font-weight:600;paint-order:stroke;stroke-width:4px;stroke-linejoin:round}',
    '.arrow{fill:none;stroke-width:1.5}.condition{stroke-dasharray:5 4}.again{stroke-width:2}',
    '.icon{fill:none;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}',
    '.box{stroke-width:1.5}.Bypassed .box,.Stepped .box{stroke-dasharray:5 4}',
    scheme(light, used, {
      line: '#64748b',
      again: '#db2777',
      ink: '#334155',
      paper: '#ffffff',
      group: '#f8fafc',
      inner: '#f1f5f9',
      edge: '#94a3b8',
    }),
    `@media (prefers-color-scheme:dark){${scheme(dark, used, { line: '#94a3b8', again: '#f472b6', ink: '#cbd5e1', paper: '#0d1117', group: '#111827', inner: '#1a2333', edge: '#475569' })}}`,
  ].join('');
}

function scheme(
  paints: Readonly<Record<string, Paint>>,
  used: ReadonlySet<string>,
  rest: Readonly<Record<string, string>>,
): string {
  const boxes = Object.entries(paints)
    .filter(([name]) => used.has(name))
    .map(
      ([name, { fill, line, ink }]) =>
        `.${name} .box{fill:${fill};stroke:${line}}.${name} .icon{stroke:${line}}.${name} text{fill:${ink}}`,
    );
  const { line, again, ink, paper, group, inner, edge } = rest;
  return [
    ...boxes,
    `.arrow,.head{stroke:${line}}.head{fill:${line}}.again{stroke:${again}}.head.again{fill:${again};stroke:${again}}`,
    `.label{fill:${ink};stroke:${paper}}.group{fill:${ink};stroke:${group}}.outer{fill:${group};stroke:${edge}}.inner{fill:${inner};stroke:none}`,
  ].join('');
}

function arrowHead(kind: string, ids: string): string {
  return `<marker id="${ids}-${kind}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path class="head ${kind === 'again' ? 'again' : ''}" d="M1 1 9 5 1 9z" stroke-width="1"/></marker>`;
}

function groupShape({ group, x, y, width, height }: PlacedGroup): string {
  const kind = group.parent === undefined ? 'outer' : 'inner';
  const left = round(x - width / 2);
  const top = round(y - height / 2);
  return `<rect class="${kind}" x="${left}" y="${top}" width="${round(width)}" height="${round(height)}" rx="12"/>`;
}

/** Above the arrows that run into the group. */
function groupLabel(placed: PlacedGroup): string {
  const { group } = placed;
  const title = titleArea(placed);
  const left = round(title.x - title.width / 2);
  const top = round(title.y + 4);
  return `<text class="group" x="${left}" y="${top}">${escapeXml(group.label)}</text>`;
}

function arrowLine({ arrow, points }: PlacedArrow, ids: string): string {
  return `<path class="arrow ${arrow.kind}" d="${curveThrough(points)}" marker-end="url(#${ids}-${arrow.kind})"/>`;
}

function arrowLabel({ arrow, label }: PlacedArrow): string {
  if (arrow.label === undefined || label === undefined) return '';
  return `<text class="label" x="${round(label.x)}" y="${round(label.y + 4)}" text-anchor="middle">${escapeXml(arrow.label)}</text>`;
}

function boxShape({ box, x, y, width, height }: PlacedBox): string {
  const left = round(x - width / 2);
  const top = round(y - height / 2);
  const radius = box.kind === 'node' ? 9 : round(height / 2);
  const rectangle = `<rect class="box" x="${left}" y="${top}" width="${round(width)}" height="${round(height)}" rx="${radius}"/>`;
  return `<g class="${paintOf(box)}"><title>${escapeXml(hoverText(box))}</title>${rectangle}${box.kind === 'node' ? nodeInside(box, left, round(y - 24)) : pillInside(box, x, y)}</g>`;
}

function paintOf(box: Box): string {
  if (box.kind !== 'node') return box.status ?? 'io';
  return box.status ?? (Object.hasOwn(light, box.type) ? box.type : 'other');
}

function hoverText(box: Box): string {
  const status = box.status === undefined ? '' : `, ${box.status === 'Stepped' ? 'ran, then bypassed' : box.status}`;
  return `${box.kind === 'node' ? '' : `${box.kind} `}${box.label} (${detailText(box)})${status}`;
}

function pillInside(box: Box, x: number, y: number): string {
  return `<text class="title" x="${round(x)}" y="${round(y + 5)}" text-anchor="middle">${escapeXml(box.label)}</text>`;
}

function nodeInside(box: Box, left: number, top: number): string {
  const icon = icons[box.type] ?? icons['other'] ?? '';
  const textLeft = round(left + 38);
  return [
    `<path class="icon" transform="translate(${round(left + 12)} ${round(top + 16)})" d="${icon}"/>`,
    `<text class="title" x="${textLeft}" y="${round(top + 20)}"${fixedLength(box.label)}>${escapeXml(box.label)}</text>`,
    `<text class="detail" x="${textLeft}" y="${round(top + 37)}">${escapeXml(detailText(box))}</text>`,
  ].join('');
}

/** A long name takes what room it was given, whatever the reader's font. */
function fixedLength(label: string): string {
  const isLong = textWidth(label) > longName;
  return isLong ? ` textLength="${round(textPixels(label, 14))}" lengthAdjust="spacingAndGlyphs"` : '';
}

const longName = 30;

/** Drawn in 16 by 16: a speech bubble, brackets, a page, a magnifying glass, a flag, a cube. */
const icons: Readonly<Record<string, string>> = {
  llm: 'M2 3h12v8H7l-3 3v-3H2zM5 6h6M5 8.5h4',
  python: 'M5 4 1 8l4 4M11 4l4 4-4 4M9 3 7 13',
  prompt: 'M3 1h7l3 3v11H3zM10 1v3h3M5.5 8h5M5.5 11h5',
  lookup: 'M7 2a5 5 0 1 0 0 10A5 5 0 1 0 7 2M11 11l4 4',
  loop: 'M3 15V2M3 2h10l-3 3 3 3H3',
  other: 'M8 1 14 4.5v7L8 15 2 11.5v-7zM2 4.5 8 8l6-3.5M8 8v7',
};

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
