import type { Node, Statement } from './ast.ts';

/**
 * What a template renders by, as one text: the same for two that differ only in comments, or in blanks and quotes inside
 * their tags, and so never render anything else of the same values.
 */
export function templateShape(body: readonly Statement[]): string {
  return JSON.stringify(shapeOf(body));
}

const notMeaning: ReadonlySet<string> = new Set(['start', 'end', 'lineno', 'colno', 'typename']);

function shapeOf(value: unknown): unknown {
  if (typeof value === 'bigint') return { int: String(value) };
  if (typeof value === 'number' && !Number.isFinite(value)) return { float: String(value) };
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Number) return { float: String(value) };
  if (Array.isArray(value)) return joinTexts(value).map(shapeOf);
  const fields = Object.entries(value).filter(([name]) => !notMeaning.has(name));
  return {
    is: (value as Partial<Node>).typename,
    ...Object.fromEntries(fields.map(([name, of]) => [name, shapeOf(of)])),
  };
}

/** A comment parts the text around it. */
function joinTexts(nodes: readonly unknown[]): readonly unknown[] {
  const merged: unknown[] = [];
  for (const node of nodes) {
    const text = literalText(node);
    const before = merged.at(-1);
    const textBefore = literalText(before);
    if (text === undefined || textBefore === undefined) merged.push(node);
    else merged[merged.length - 1] = { typename: 'TemplateData', value: textBefore + text };
  }
  return merged;
}

function literalText(node: unknown): string | undefined {
  if (typeof node !== 'object' || node === null) return undefined;
  const { typename, value } = node as { readonly typename?: unknown; readonly value?: unknown };
  return typename === 'TemplateData' && typeof value === 'string' ? value : undefined;
}
