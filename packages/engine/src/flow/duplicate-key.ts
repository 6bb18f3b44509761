import { placeOf, type Span } from '../source/source-file.ts';
import type { JsonValue } from '../value/json.ts';
import { pythonStr } from '../value/python-text.ts';

/** A key that a mapping has twice: where the mapping starts, where the key stands again, and both its values. */
export interface DuplicateKey {
  readonly mapping: Span | undefined;
  readonly key: string;
  readonly again: Span | undefined;
  readonly value: JsonValue;
  readonly original: JsonValue;
}

/** What ruamel.yaml 0.18 says of it (`check_mapping_key`). */
export function duplicateKeyText({ mapping, key, again, value, original }: DuplicateKey): string {
  return `while constructing a mapping
${markText(mapping)}
found duplicate key "${key}" with value "${pythonStr(value)}" (original value: "${pythonStr(original)}")
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
