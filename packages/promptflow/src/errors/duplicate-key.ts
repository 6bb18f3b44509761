import { type DiagnosticDetails, type JsonValue, placeOf, pythonStr, type Span } from '@unroll/engine';

type DuplicateKey = Extract<DiagnosticDetails, { readonly kind: 'duplicate-key' }>;

/** What ruamel.yaml 0.18 says of it (`check_mapping_key`). */
export function duplicateKeyText({ mapping, key, again, value, firstValue }: DuplicateKey): string {
  return `while constructing a mapping
${markText(mapping)}
found duplicate key "${key}" with value "${pythonStr(value as JsonValue)}" (original value: "${pythonStr(firstValue as JsonValue)}")
${markText(again)}

To suppress this check see:
    https://yaml.dev/doc/ruamel.yaml/api/#Duplicate_keys
`;
}

function markText(span: Span | undefined): string {
  if (span === undefined) return '';
  const { line, column } = placeOf(span.file, span.start);
  return `  in "${span.file.path}", line ${line}, column ${column}`;
}
