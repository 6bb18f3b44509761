import type { SpecPath } from '../flow/flow-spec.ts';
import type { YamlDocument } from '../flow/yaml-document.ts';
import type { EntrySignature } from '../node/signature.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { didYouMean } from '../source/nearest-name.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { isMapping } from '../value/shapes.ts';

/** What the constructor is called with when nobody gives more. */
export function initDefaults(declared: JsonValue | undefined): JsonObject {
  if (!isMapping(declared)) return {};
  return Object.fromEntries(
    Object.entries(declared).flatMap(([name, written]) => {
      const value = isMapping(written) && 'type' in written ? written['default'] : written;
      return value === undefined || value === null || value === '' ? [] : [[name, value]];
    }),
  );
}

/**
 * Arguments that the constructor does not take, where its text shows all that it takes. Those under `init` always reach it; those
 * of the sample only when `--init` gives none.
 */
export function strangeArguments(
  { init, sample }: JsonObject,
  signature: EntrySignature,
  document: YamlDocument,
): readonly Diagnostic[] {
  const sampled = isMapping(sample) && isMapping(sample['init']) ? sample['init'] : {};
  if (signature.takesOnlyInit !== true) return [];
  const names = signature.init.map(({ name }) => name);
  const strange = (given: JsonObject): readonly string[] => Object.keys(given).filter((name) => !names.includes(name));
  const tell = (severity: Diagnostic['severity'], name: string, path: SpecPath): Diagnostic => ({
    severity,
    code: 'FLEX_ARGUMENT',
    message: `the class takes no argument "${name}"`,
    span: document.locate([...path, name], 'key'),
    help: didYouMean(name, names) ?? (names.length === 0 ? 'it takes none' : `it takes ${names.join(', ')}`),
  });
  return [
    ...strange(initDefaults(init)).map((name) => tell('error', name, ['init'])),
    ...strange(sampled).map((name) => tell('warning', name, ['sample', 'init'])),
  ];
}
