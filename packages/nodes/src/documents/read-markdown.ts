import type { Token } from 'marked';
import { type Block, type Section, sectionsOf } from './section.ts';

const frontMatter = /^---\r?\n[\s\S]*?\r?\n---\r?\n/u;

/** A Markdown file (CommonMark, GitHub's tables): texts stay as they are written. The door to marked. */
export async function readMarkdown(text: string): Promise<readonly Section[]> {
  const { lexer } = await import('marked');
  const tokens = lexer(text.replace(frontMatter, ''));
  const blocks = tokens.map((token): Block => {
    if (token.type === 'heading')
      return { kind: 'heading', level: Number(token['depth']), text: plainText(token['tokens']) };
    const isNothing = token.type === 'space' || token.type === 'hr' || token.type === 'def';
    return { kind: 'paragraph', text: isNothing ? '' : token.raw };
  });
  return sectionsOf(blocks);
}

/** A heading without its marks: `**Loops** of a [flow](flow.md)` is "Loops of a flow". */
function plainText(tokens: readonly Token[] = []): string {
  return tokens
    .map((token) =>
      'tokens' in token && token.tokens !== undefined
        ? plainText(token.tokens)
        : 'text' in token
          ? String(token.text)
          : '',
    )
    .join('');
}
