/** A line on a page: Latin text, or bytes of Shift_JIS in hexadecimal. */
export interface PdfLine {
  readonly text?: string;
  readonly hex?: string;
  /** In points. */
  readonly size: number;
  readonly y: number;
}

/** A PDF file (ISO 32000-1) with lines of text. Japanese is set in a font that is not in the file, by the table 90ms-RKSJ-H. */
export function minimalPdf(pages: readonly (readonly PdfLine[])[]): Uint8Array {
  const firstPage = 7;
  const kids = pages.map((_, index) => `${firstPage + index * 2} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiKakuGo-W5 /Encoding /90ms-RKSJ-H /DescendantFonts [5 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiKakuGo-W5 /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /FontDescriptor 6 0 R >>',
    '<< /Type /FontDescriptor /FontName /HeiseiKakuGo-W5 /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 900 /Descent -200 /CapHeight 700 /StemV 80 >>',
    ...pages.flatMap((lines, index) => {
      const content = lines.map(drawn).join(' ');
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${firstPage + index * 2 + 1} 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  return new TextEncoder().encode(fileOf(objects));
}

function drawn({ text, hex, size, y }: PdfLine): string {
  const shown = hex === undefined ? `(${text ?? ''})` : `<${hex}>`;
  return `BT /${hex === undefined ? 'F1' : 'F2'} ${size} Tf 72 ${y} Td ${shown} Tj ET`;
}

function fileOf(objects: readonly string[]): string {
  let text = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  return `${text}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
}
