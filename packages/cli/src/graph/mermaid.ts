import type { Arrow, Box, Group, Picture } from '@unroll/project/graph';

/** The picture as Mermaid text, for a README or a pull request. */
export function stringifyMermaid(picture: Picture): string {
  const names = new Map(
    [...picture.boxes, ...picture.groups].map(({ id }, index) => [id, mermaidName(id, index)] as const),
  );
  const nameOf = (id: string): string => names.get(id) ?? id;
  const lines = [
    `flowchart ${picture.direction === 'down' ? 'TD' : 'LR'}`,
    ...picture.boxes.filter((box) => box.group === undefined).map((box) => `  ${boxLine(box, nameOf)}`),
    ...picture.groups
      .filter((group) => group.parent === undefined)
      .flatMap((group) => groupLines(group, picture, nameOf, '  ')),
    ...picture.arrows.map((arrow) => `  ${arrowLine(arrow, nameOf)}`),
    ...classLines(picture, nameOf),
  ];
  return `${lines.join('\n')}\n`;
}

/** Mermaid takes letters, digits and underscores; what else a name holds (Japanese, say) becomes its place in the list. */
function mermaidName(id: string, index: number): string {
  const plain = id.replaceAll('.', '_');
  return /^\w+$/.test(plain) ? plain : `${plain.replaceAll(/\W+/g, '')}_${index}`;
}

function boxLine(box: Box, nameOf: (id: string) => string): string {
  const detail =
    box.kind === 'node' ? `<br/><small>${escapeLabel([box.type, box.detail].filter(Boolean).join(' · '))}</small>` : '';
  const label = `"${escapeLabel(box.label)}${detail}"`;
  return `${nameOf(box.id)}${box.kind === 'node' ? `[${label}]` : `([${label}])`}`;
}

function groupLines(group: Group, picture: Picture, nameOf: (id: string) => string, indent: string): readonly string[] {
  return [
    `${indent}subgraph ${nameOf(group.id)}["${escapeLabel(group.label)}"]`,
    ...picture.groups
      .filter((child) => child.parent === group.id)
      .flatMap((child) => groupLines(child, picture, nameOf, `${indent}  `)),
    ...picture.boxes.filter((box) => box.group === group.id).map((box) => `${indent}  ${boxLine(box, nameOf)}`),
    `${indent}end`,
  ];
}

function arrowLine(arrow: Arrow, nameOf: (id: string) => string): string {
  const line = arrow.kind === 'data' ? '-->' : arrow.kind === 'again' ? '==>' : '-.->';
  const label = arrow.label === undefined ? '' : `|"${escapeLabel(arrow.label)}"|`;
  return `${nameOf(arrow.from)} ${line}${label} ${nameOf(arrow.to)}`;
}

function escapeLabel(text: string): string {
  return text.replaceAll('&', '#amp;').replaceAll('"', '#quot;').replaceAll('<', '#lt;').replaceAll('>', '#gt;');
}

const classes: Readonly<Record<string, string>> = {
  io: 'fill:#e5e7eb,stroke:#6b7280,color:#111827',
  llm: 'fill:#ede9fe,stroke:#7c3aed,color:#2e1065',
  python: 'fill:#dbeafe,stroke:#2563eb,color:#172554',
  prompt: 'fill:#fef3c7,stroke:#d97706,color:#451a03',
  lookup: 'fill:#d1fae5,stroke:#059669,color:#022c22',
  loop: 'fill:#fce7f3,stroke:#db2777,color:#500724',
  Completed: 'fill:#d1fae5,stroke:#059669,color:#022c22',
  Stepped: 'fill:#d1fae5,stroke:#059669,color:#022c22,stroke-dasharray:5 3',
  Bypassed: 'fill:#f3f4f6,stroke:#9ca3af,color:#6b7280,stroke-dasharray:3 3',
  Failed: 'fill:#fee2e2,stroke:#dc2626,color:#450a0a',
  Canceled: 'fill:#ffedd5,stroke:#ea580c,color:#431407',
  NotRun: 'fill:#ffffff,stroke:#d1d5db,color:#9ca3af',
};

function classLines(picture: Picture, nameOf: (id: string) => string): readonly string[] {
  const members = Map.groupBy(picture.boxes, classOf);
  return Object.entries(classes).flatMap(([name, style]) => {
    const boxes = members.get(name);
    if (boxes === undefined) return [];
    return [`  classDef ${name} ${style}`, `  class ${boxes.map((box) => nameOf(box.id)).join(',')} ${name}`];
  });
}

function classOf(box: Box): string {
  return box.kind === 'node' ? (box.status ?? box.type) : 'io';
}
