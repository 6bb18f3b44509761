import { Float, isMapping, type JsonObject, type JsonValue, parseJson, stringifyJson } from '@unroll/engine';
import { sameImage } from './compare-images.ts';

/** Where what came differs from what was expected, one line a difference; empty when they agree. */
export function differences(expected: JsonValue, actual: JsonValue | undefined, flowFolder: string): readonly string[] {
  const found: string[] = [];
  const plain = actual === undefined ? undefined : parseJson(stringifyJson(actual));
  compare(expected, plain, { flowFolder, found }, '');
  return found;
}

interface Comparison {
  readonly flowFolder: string;
  readonly found: string[];
}

function compare(expected: JsonValue, actual: JsonValue | undefined, comparison: Comparison, place: string): void {
  if (sameImage(expected, actual) === true) return;
  if (isMapping(expected)) {
    compareMapping(expected, actual, comparison, place);
  } else if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    for (const [index, item] of expected.entries()) compare(item, actual[index], comparison, `${place}[${index}]`);
  } else if (!sameScalar(expected, actual, comparison.flowFolder)) {
    tell(expected, actual, comparison, place);
  }
}

function compareMapping(
  expected: JsonObject,
  actual: JsonValue | undefined,
  comparison: Comparison,
  place: string,
): void {
  const holds = comparePlaceholder(expected, actual);
  if (holds === undefined && isMapping(actual)) compareMembers(expected, actual, comparison, place);
  else if (holds !== true) tell(expected, actual, comparison, place);
}

function compareMembers(expected: JsonObject, actual: JsonObject, comparison: Comparison, place: string): void {
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const inside = place === '' ? key : `${place}.${key}`;
    if (!Object.hasOwn(expected, key)) comparison.found.push(`${inside}: not expected: ${shown(actual[key])}`);
    else compare(expected[key] ?? null, Object.hasOwn(actual, key) ? actual[key] : undefined, comparison, inside);
  }
}

/** undefined: no placeholder. */
function comparePlaceholder(expected: JsonObject, actual: JsonValue | undefined): boolean | undefined {
  const [key, ...more] = Object.keys(expected);
  if (more.length > 0) return undefined;
  if (key === '$any') return true;
  if (key === '$nonfinite') return typeof actual === 'number' && String(actual) === String(expected[key]);
  if (key === '$repr') return actual === expected[key];
  return undefined;
}

function sameScalar(expected: JsonValue, actual: JsonValue | undefined, flowFolder: string): boolean {
  if (typeof expected === 'string') return typeof actual === 'string' && sameText(expected, actual, flowFolder);
  if (expected instanceof Float || actual instanceof Float) {
    return expected instanceof Float && actual instanceof Float && expected.valueOf() === actual.valueOf();
  }
  return Object.is(expected, actual);
}

/** `<flow_dir>` stands for the folder of the flow, and a file in it may be shown without, on either side; `<uuid>` for any uuid. */
function sameText(expected: string, actual: string, flowFolder: string): boolean {
  if (matches(expected.replaceAll('<flow_dir>', flowFolder), actual)) return true;
  return matches(expected.replaceAll('<flow_dir>/', ''), actual.replaceAll(`${flowFolder}/`, ''));
}

function matches(written: string, actual: string): boolean {
  if (!written.includes('<uuid>')) return written === actual;
  const uuid = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';
  const parts = written.split('<uuid>').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join(uuid)}$`, 's').test(actual);
}

function tell(expected: JsonValue, actual: JsonValue | undefined, { found }: Comparison, place: string): void {
  found.push(`${place}: expected ${shown(expected)}, got ${shown(actual)}`);
}

function shown(value: JsonValue | undefined): string {
  return value === undefined ? 'nothing' : stringifyJson(value);
}
