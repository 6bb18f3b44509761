import type { Diagnostic } from '../source/diagnostic.ts';
import type { SourceFile } from '../source/source-file.ts';

/** A file that is no UTF-8 text, at its first byte that is none. */
export function checkEncoding(file: SourceFile): readonly Diagnostic[] {
  if (file.isUtf8 !== false) return [];
  const start = Math.max(0, file.text.indexOf('\uFFFD'));
  return [
    {
      severity: 'error',
      code: 'FILE_ENCODING',
      message: `${file.path} is no text in UTF-8`,
      span: { file, start, end: start + 1 },
      help: 'save it as UTF-8 (it may be in CP932, UTF-16 or another encoding, or no text at all)',
    },
  ];
}
