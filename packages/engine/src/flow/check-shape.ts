import type * as z from 'zod';
import { type Diagnostic, preventsRun } from '../source/diagnostic.ts';
import { didYouMean, nearestName } from '../source/nearest-name.ts';
import { Float } from '../value/float.ts';
import type { JsonValue } from '../value/json.ts';
import { isMapping } from '../value/shapes.ts';
import { flowSchema, knownKeys, maxTimes } from './flow-schema.ts';
import type { SpecPath } from './flow-spec.ts';
import { meantIssues } from './meant-issues.ts';
import { placeName } from './place-name.ts';
import { plainScalars } from './plain-scalars.ts';
import { expectedOf, kindOf, nearestOption, nearestSpan, shown, valueAt } from './shape-text.ts';
import { valueTypes } from './value-types.ts';
import { writtenInstead } from './written-instead.ts';
import type { YamlDocument } from './yaml-document.ts';

/** Everything about a flow file that is wrong in shape: unknown and missing keys, values of the wrong kind. */
export function checkShape(document: YamlDocument): readonly Diagnostic[] {
  const root = document.value ?? {};
  if (typeof root !== 'object' || Array.isArray(root)) {
    const wrong = wrongValue(
      document,
      [],
      `a flow is a mapping of keys such as inputs, nodes, outputs, not ${kindOf(root)}`,
    );
    return withFlow([wrong], root);
  }
  // A flow is checked once: code made for its schema would take longer to make than it saves.
  const checked = flowSchema.safeParse(plainScalars(root), { jitless: true });
  const unknownAtTop = Object.keys(root).filter((key) => knownKeys([])?.includes(key) === false);
  const found = (checked.error?.issues ?? [])
    .flatMap(meantIssues)
    .flatMap((issue) => shapeDiagnostics(document, issue));
  return [...unknownAtTop.map((key) => unknownKey(document, [], key)), ...withFlow(found, root)];
}

/** Mistakes that keep the flow from being read, with all that its file holds. */
function withFlow(found: readonly Diagnostic[], flow: JsonValue): readonly Diagnostic[] {
  return found.map((diagnostic) =>
    preventsRun(diagnostic) ? { details: { kind: 'flow-shape', flow }, ...diagnostic } : diagnostic,
  );
}

/** The key at `path` that its object does not know: it is only noted, as it is ignored. An evaluation in place of a flow is a mistake. */
export function unknownKey(
  document: Pick<YamlDocument, 'value' | 'locate'>,
  path: SpecPath,
  key: string,
  known: readonly string[] = knownKeys(path) ?? [],
): Diagnostic {
  const isEvaluation = path.length === 0 && key === 'metrics';
  const isNoFlow = isEvaluation && isMapping(document.value) && !('nodes' in document.value);
  const place = placeName(document, path);
  return {
    severity: isNoFlow ? 'error' : 'warning',
    code: 'FLOW_UNKNOWN_KEY',
    message: place === '' ? `unknown key "${key}"` : `unknown key "${key}" in ${place}`,
    span: nearestSpan(document, [...path, key], 'key'),
    help: isEvaluation
      ? 'an evaluation is scored by `flow eval FILE`'
      : (didYouMean(key, known) ?? keyAbove(path, key) ?? fewKeys(known)),
    ...(isNoFlow ? {} : { allowsRun: true }),
  };
}

/** `connection` that somebody indented below `source`. */
function keyAbove(path: SpecPath, key: string): string | undefined {
  if (path[0] !== 'nodes' || path.length !== 3 || knownKeys(path.slice(0, 2))?.includes(key) !== true) return undefined;
  return `"${key}" is a key of the node itself: it stands beside "${path[2]}", not below it`;
}

/** Of a mapping that knows but a few keys, as `retry` does. */
function fewKeys(known: readonly string[]): string | undefined {
  return known.length > 0 && known.length <= 8 ? `there are ${known.join(', ')}` : undefined;
}

type Issue = z.core.$ZodIssue;

function shapeDiagnostics(document: YamlDocument, issue: Issue): readonly Diagnostic[] {
  const path = issue.path as SpecPath;
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(document, path, key));
  const value = valueAt(document.value ?? null, path);
  if (isOddName(path, value)) return [oddName(document, path, value)];
  const known = special(document, path, value);
  if (known !== undefined) return [known];
  // Conditions are looked at with their node, which the text of the error names.
  if (value === undefined) return path.at(-2) === 'activate' ? [] : [missingKey(document, path)];
  const expected = isCountWithPoint(issue, value) ? 'a whole number' : expectedOf(issue);
  const said = issue.code === 'custom' ? issue.message : `must be ${expected}, not ${kindOf(value)}`;
  const help = nearestOption(issue, value) ?? writtenInstead(path, value);
  const wrong = wrongValue(document, path, `${placeName(document, path)} ${said}`, help);
  if (isReadOn(path, value) || isTemplateSource(document, path)) return [onlyNoted(wrong)];
  return [{ ...wrong, ...unknownSource(document, path, value) }];
}

/** `plainScalars` leaves the point of a count alone, so that the schema sees no number there. */
function isCountWithPoint(issue: Issue, value: JsonValue): boolean {
  return issue.code === 'invalid_type' && ['number', 'int'].includes(issue.expected) && value instanceof Float;
}

/** What the flow runs with all the same. */
function onlyNoted(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, severity: 'warning', allowsRun: true };
}

/** Keys of inputs, outputs and nodes whose values are taken for what they are, or never looked at. */
const readOnKeys = new Set(
  'description enum is_chat_input is_chat_history is_chat_output evaluation_only aggregation reduce use_variants enable_cache comment'.split(
    ' ',
  ),
);

/** A value of the wrong kind that the flow runs with; an empty list stands for an empty mapping. */
function isReadOn([section, ...path]: SpecPath, value: JsonValue): boolean {
  const place = path.length === 0 ? String(section) : String(path.at(-1));
  if (section !== 'inputs' && section !== 'outputs' && section !== 'nodes') return false;
  if (path.length === 2 && readOnKeys.has(place)) return true;
  return Array.isArray(value) && value.length === 0 && path.length !== 1 && (place === 'inputs' || place === 'outputs');
}

/** A node may go by whatever stands there, and by no name; none can be referred to by it. */
function isOddName([section, , key, ...more]: SpecPath, value: JsonValue | undefined): boolean {
  if (section !== 'nodes' || key !== 'name' || more.length > 0) return false;
  return value === '' || value === undefined || typeof value !== 'object' || value === null || value instanceof Float;
}

function oddName(document: YamlDocument, path: SpecPath, value: JsonValue | undefined): Diagnostic {
  if (value === undefined || value === null) {
    const missing = missingKey(document, path);
    return missing.help === undefined ? onlyNoted(missing) : missing;
  }
  const message = `${placeName(document, path)} must be a text, not ${value === '' ? 'an empty one' : kindOf(value)}`;
  return onlyNoted(wrongValue(document, path, message));
}

/** Templates are read whatever their source is called. */
function isTemplateSource({ value }: YamlDocument, path: SpecPath): boolean {
  if (path.at(-2) !== 'source' || path.at(-1) !== 'type') return false;
  const node = valueAt(value ?? null, path.slice(0, -2));
  return isMapping(node) && (node['type'] === 'prompt' || node['type'] === 'llm');
}

/** It is met where the node's code is loaded. */
function unknownSource(
  document: YamlDocument,
  path: SpecPath,
  value: JsonValue,
): Pick<Diagnostic, 'unreadyNode' | 'details'> {
  const [section, , source, key] = path;
  if (section !== 'nodes' || source !== 'source' || key !== 'type' || path.length !== 4) return {};
  const flow = document.value ?? null;
  const node = valueAt(flow, path.slice(0, 2));
  const { name = null, type = null } = isMapping(node) ? node : {};
  if (type !== 'python' && type !== 'custom_llm') return {};
  const details = { kind: 'source-type', flow, node: String(name), nodeType: type, sourceType: value } as const;
  return { unreadyNode: details.node, details };
}

/** Mistakes that have a code of their own. */
function special(document: YamlDocument, path: SpecPath, value: JsonValue | undefined): Diagnostic | undefined {
  const [section, , key] = path;
  if (path.length !== 3) return undefined;
  if ((section === 'inputs' || section === 'outputs') && key === 'type') return wrongType(document, path, value);
  if (section === 'loops' && key === 'times') return unbounded(document, path, value);
  if (section === 'loops' && key === 'nodes') return emptyLoop(document, path);
  return undefined;
}

function wrongType(document: YamlDocument, path: SpecPath, value: JsonValue | undefined): Diagnostic {
  const place = placeName(document, path.slice(0, -1));
  const help = typeof value === 'string' ? didYouMean(value, valueTypes) : undefined;
  return {
    severity: 'error',
    code: 'FLOW_INPUT_TYPE',
    message: value === undefined ? `${place} has no type` : `${place} has the unknown type ${shown(value)}`,
    span: nearestSpan(document, path, 'value'),
    help: help ?? `a type is one of ${valueTypes.join(', ')}`,
  };
}

function unbounded(document: YamlDocument, path: SpecPath, value: JsonValue | undefined): Diagnostic {
  const place = placeName(document, path.slice(0, -1));
  return {
    severity: 'error',
    code: 'FLOW_LOOP_UNBOUNDED',
    message:
      value === undefined || value === null
        ? `${place} has no bound`
        : `${place} has the bound ${shown(value)}, which is no whole number from 1 to ${maxTimes}`,
    span: nearestSpan(document, path, 'value'),
    help: 'give it `times`, for instance `times: 3`',
  };
}

function emptyLoop(document: YamlDocument, path: SpecPath): Diagnostic {
  return {
    severity: 'error',
    code: 'FLOW_LOOP_EMPTY',
    message: `${placeName(document, path.slice(0, -1))} has no nodes to repeat`,
    span: nearestSpan(document, path, 'key'),
    help: 'list them under `nodes`; the last one gives the next state',
  };
}

function missingKey(document: YamlDocument, path: SpecPath): Diagnostic {
  const parent = path.slice(0, -1);
  const place = placeName(document, parent);
  const key = String(path.at(-1));
  const written = valueAt(document.value ?? null, parent);
  const strange = Object.keys(isMapping(written) ? written : {}).filter(
    (name) => knownKeys(parent)?.includes(name) !== true,
  );
  const meant = nearestName(key, strange);
  return {
    severity: 'error',
    code: 'FLOW_MISSING_KEY',
    message: `${place === '' ? 'the flow' : place} lacks the key "${key}"`,
    span: nearestSpan(
      document,
      meant === undefined ? parent : [...parent, meant],
      meant === undefined ? 'value' : 'key',
    ),
    ...(meant === undefined ? {} : { help: `did you mean "${key}" by "${meant}"?` }),
  };
}

function wrongValue(document: YamlDocument, path: SpecPath, message: string, help?: string): Diagnostic {
  return { severity: 'error', code: 'FLOW_WRONG_VALUE', message, span: nearestSpan(document, path, 'value'), help };
}
