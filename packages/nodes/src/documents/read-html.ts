import type { DefaultTreeAdapterTypes } from 'parse5';
import { type Block, type Section, sectionsOf } from './section.ts';

type Node = DefaultTreeAdapterTypes.Node;

/** What is not read: no text, or readings above Japanese letters. */
const leftOut = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'nav',
  'head',
  'rt',
  'rp',
  'iframe',
  'button',
]);
const ownLine = new Set(
  `address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form header hr li main ol p
   pre section summary table tbody tfoot thead tr ul caption`.split(/\s+/u),
);

/** A page: its headings, paragraphs, lists and tables (a line a row). The door to parse5. */
export async function readHtml(text: string): Promise<readonly Section[]> {
  const { parse } = await import('parse5');
  const page = parse(text);
  const title = titleOf(page);
  const blocks = new BlockReader().read(page);
  const hasHeading = blocks.some(({ kind }) => kind === 'heading');
  const above: readonly Block[] = hasHeading || title === '' ? [] : [{ kind: 'heading', level: 1, text: title }];
  return sectionsOf([...above, ...blocks]);
}

class BlockReader {
  private readonly blocks: Block[] = [];
  private held = '';
  private preformatted = 0;
  private cells = 0;

  read(node: Node): readonly Block[] {
    this.visit(node);
    this.endLine();
    return this.blocks;
  }

  private visit(node: Node): void {
    if (node.nodeName === '#text') this.take((node as DefaultTreeAdapterTypes.TextNode).value);
    else if (/^h[1-6]$/.test(node.nodeName)) this.visitHeading(node);
    else if (node.nodeName === 'br') this.held += '\n';
    else if (!leftOut.has(node.nodeName)) this.visitElement(node);
  }

  private take(text: string): void {
    this.held += this.preformatted > 0 ? text : text.replaceAll(/\s+/gu, ' ');
  }

  private visitHeading(node: Node): void {
    this.endLine();
    this.visitChildren(node);
    const text = tidied(this.held).replaceAll('\n', ' ');
    this.held = '';
    this.blocks.push({ kind: 'heading', level: Number(node.nodeName.slice(1)), text });
  }

  private visitElement(node: Node): void {
    const name = node.nodeName;
    if (name === 'td' || name === 'th') {
      this.visitCell(node);
      return;
    }
    if (ownLine.has(name)) this.endPart();
    if (name === 'li' && this.cells === 0) this.held = '- ';
    if (name === 'pre') this.preformatted += 1;
    this.visitChildren(node);
    if (name === 'pre') this.preformatted -= 1;
    if (ownLine.has(name)) this.endPart();
  }

  private visitCell(node: Node): void {
    this.cells += 1;
    this.visitChildren(node);
    this.cells -= 1;
    this.held = `${this.held.trimEnd()} | `;
  }

  /** Paragraphs in a cell stand on the line of its row. */
  private endPart(): void {
    if (this.cells === 0) this.endLine();
    else if (!/\s$/u.test(this.held)) this.held += ' ';
  }

  private visitChildren(node: Node): void {
    const inner = node.nodeName === 'template' ? [] : ((node as DefaultTreeAdapterTypes.ParentNode).childNodes ?? []);
    for (const child of inner) this.visit(child);
  }

  private endLine(): void {
    const text = tidied(this.held).replace(/ \|$/u, '');
    this.held = '';
    if (text === '' || text === '-') return;
    const last = this.blocks.at(-1);
    const isList = text.startsWith('- ') || text.includes(' | ');
    if (isList && last?.kind === 'paragraph')
      this.blocks[this.blocks.length - 1] = { ...last, text: `${last.text}\n${text}` };
    else this.blocks.push({ kind: 'paragraph', text });
  }
}

function tidied(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();
}

function titleOf(node: Node): string {
  if (node.nodeName === 'title') return nodeText(node).trim();
  for (const child of (node as DefaultTreeAdapterTypes.ParentNode).childNodes ?? []) {
    const found = child.nodeName === 'body' ? '' : titleOf(child);
    if (found !== '') return found;
  }
  return '';
}

function nodeText(node: Node): string {
  if (node.nodeName === '#text') return (node as DefaultTreeAdapterTypes.TextNode).value;
  return ((node as DefaultTreeAdapterTypes.ParentNode).childNodes ?? []).map(nodeText).join('');
}
