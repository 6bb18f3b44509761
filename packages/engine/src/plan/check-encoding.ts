import type { Diagnostic } from '../source/diagnostic.ts';
import type { SourceFile } from '../source/source-file.ts';

/** A file that is no UTF-8 text, at its first byte that is none. */
export function checkEncoding(file: SourceFile): readonly Diagnostic[] {
  return file.isUtf8 === false ? [notUtf8(file, Math.max(0, file.text.indexOf('\uFFFD')))] : [];
}

/** The same of YAML, which holds no zero: UTF-16 that does not say so is UTF-8 with one beside each letter. */
export function checkYamlEncoding(file: SourceFile): readonly Diagnostic[] {
  const wrong = checkEncoding(file);
  return wrong.length > 0 || !file.text.slice(0, 2).includes('\0') ? wrong : [notUtf8(file, 0)];
}

function notUtf8(file: SourceFile, start: number): Diagnostic {
  return {
    severity: 'error',
    code: 'FILE_ENCODING',
    message: `${file.path} is no text in UTF-8`,
    span: { file, start, end: start + 1 },
    help: 'save it as UTF-8 (it may be in CP932, UTF-16 or another encoding, or no text at all)',
  };
}
