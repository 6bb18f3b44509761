import type { Diagnostic } from '../source/diagnostic.ts';
import { didYouMean } from '../source/nearest-name.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { isMapping } from '../value/shapes.ts';
import { kindOf } from './shape-text.ts';
import { otherTypeNames, valueTypes } from './value-types.ts';
import type { YamlDocument } from './yaml-document.ts';

/** Sections that declare values by name, with what stands in each for an example. */
const examples = { inputs: 'question', outputs: 'answer', init: 'model' } as const;

export type DeclaringSection = keyof typeof examples;

/** Sections of a prompty, or of a flow that is code, that are no mapping of names, and types that there are not. */
export function checkDeclared(
  root: JsonObject,
  sections: readonly DeclaringSection[],
  { locate }: YamlDocument,
): readonly Diagnostic[] {
  return sections.flatMap((section) => {
    const declared = root[section] ?? {};
    if (!isMapping(declared)) return [noMapping(section, declared, locate([section]))];
    return Object.entries(declared).flatMap(([name, one]) => {
      const type = isMapping(one) ? (one['type'] ?? 'string') : 'string';
      if (isKnownType(String(type), section)) return [];
      return [unknownType(`${section}.${name}`, type, locate([section, name, 'type']))];
    });
  });
}

/** A class is made with connections and model configurations too. */
function isKnownType(type: string, section: DeclaringSection): boolean {
  if (section === 'init' && /^\w+(?:Connection|ModelConfiguration)$/.test(type)) return true;
  return [...valueTypes, ...otherTypeNames].includes(type);
}

function noMapping(section: DeclaringSection, declared: JsonValue, span: Diagnostic['span']): Diagnostic {
  return {
    severity: 'error',
    code: 'FLOW_WRONG_VALUE',
    message: `${section} must be a mapping of names, not ${kindOf(declared)}`,
    help: `for instance ${section}: {${examples[section]}: {type: string}}`,
    span,
    details: { kind: 'prompty-section', isList: Array.isArray(declared) },
  };
}

function unknownType(place: string, type: JsonValue, span: Diagnostic['span']): Diagnostic {
  return {
    severity: 'error',
    code: 'FLOW_INPUT_TYPE',
    message: `${place} has the unknown type "${String(type)}"`,
    help: didYouMean(String(type), valueTypes) ?? `a type is one of ${valueTypes.join(', ')}`,
    span,
    details: { kind: 'prompty-value-type', type },
  };
}
