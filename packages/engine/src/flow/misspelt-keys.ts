import type { Diagnostic } from '../source/diagnostic.ts';
import { nearestName } from '../source/nearest-name.ts';
import type { JsonObject } from '../value/json.ts';
import type { SpecPath } from './flow-spec.ts';
import { nearestSpan } from './shape-text.ts';
import type { YamlDocument } from './yaml-document.ts';

/** Warnings for keys of a mapping that may hold more than it knows: those that look like a known one which is not there. */
export function misspeltKeys(
  values: JsonObject,
  known: readonly string[],
  document: YamlDocument,
  path: SpecPath = [],
): readonly Diagnostic[] {
  const absent = known.filter((key) => !Object.hasOwn(values, key));
  return Object.keys(values).flatMap((key): Diagnostic[] => {
    const meant = known.includes(key) ? undefined : nearestName(key, absent);
    if (meant === undefined) return [];
    return [
      {
        severity: 'warning',
        code: 'FLOW_UNKNOWN_KEY',
        message: path.length === 0 ? `unknown key "${key}"` : `unknown key "${key}" in ${path.join('.')}`,
        span: nearestSpan(document, [...path, key], 'key'),
        help: `did you mean "${meant}"?`,
        allowsRun: true,
      },
    ];
  });
}
