import { requireExtra } from '../extras/extras.ts';
import { readHtml } from './read-html.ts';
import type { Section } from './section.ts';

/** A Word file: paragraphs by their styles (見出し 1 is a heading as Heading 1 is), lists, tables; no pictures. The door to mammoth. */
export async function readDocx(bytes: Uint8Array): Promise<readonly Section[]> {
  requireExtra('word');
  const { default: mammoth } = await import('mammoth');
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }));
  const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) }, { convertImage }).catch(() => {
    throw new Error('it is no Word file (.docx), or a broken one');
  });
  return readHtml(value);
}
