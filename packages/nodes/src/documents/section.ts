/** A stretch of a document under one heading. */
export interface Section {
  /** Headings above it, the outermost first; the last one is its own. */
  readonly headings: readonly string[];
  /** Paragraphs parted by blank lines. */
  readonly text: string;
  /** The page it starts on, from 1. */
  readonly page?: number;
}

/** A line of a document in the order of reading. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string; readonly page?: number }
  | { readonly kind: 'paragraph'; readonly text: string; readonly page?: number };

/** Gathers what stands under each heading; a heading with nothing under it is above others only. */
export function sectionsOf(blocks: Iterable<Block>): readonly Section[] {
  const sections: Section[] = [];
  let headings: readonly { readonly level: number; readonly text: string }[] = [];
  let paragraphs: string[] = [];
  let page: number | undefined;
  const close = (): void => {
    const text = paragraphs.join('\n\n').trim();
    paragraphs = [];
    if (text === '') return;
    const titles = headings.map((heading) => heading.text);
    sections.push({ headings: titles, text, ...(page === undefined ? {} : { page }) });
  };
  for (const block of blocks) {
    const text = block.text.trim();
    if (text === '') continue;
    if (block.kind === 'heading') {
      close();
      headings = [...headings.filter(({ level }) => level < block.level), { level: block.level, text }];
    } else {
      if (paragraphs.length === 0) page = block.page;
      paragraphs.push(text);
    }
  }
  close();
  return sections;
}
