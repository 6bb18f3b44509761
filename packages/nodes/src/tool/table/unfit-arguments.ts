import {
  type Diagnostic,
  didYouMean,
  isMapping,
  type JsonObject,
  type JsonValue,
  type Parameter,
  type SourceFile,
} from '@unroll/engine';
import { inputsTakenApart } from '../../code/check-first-parameter.ts';
import { inspectNamed } from '../../code/inspect-module.ts';
import { inspectPythonFunction } from '../../python/inspect-python.ts';
import type { Locate } from './table-reading.ts';

/** A function that a tool names, with the JSON Schema of the tool's arguments. */
export interface AskedFunction {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/**
 * Where a function and the arguments of its tool do not fit: what it asks for and no model can give, and what Python refuses. JavaScript
 * passes over what it does not know, as may be meant.
 *
 * @param span of the tool, for what stands nowhere in the code
 */
export function unfitArguments(
  file: SourceFile,
  { name, parameters }: AskedFunction,
  span: ReturnType<Locate>,
): readonly Diagnostic[] {
  const { properties, additionalProperties = false } = parameters;
  const given = isMapping(properties as JsonValue) ? Object.keys(properties as JsonObject) : [];
  const isPython = file.path.endsWith('.py');
  const { parameters: asked = [], takesAnyInput = true } = isPython
    ? inspectPythonFunction(file, name)
    : inspectNamed(file, name);
  const warn = (message: string, at: Diagnostic['span'], help?: string): Diagnostic => ({
    severity: 'warning',
    code: 'TOOL_PARAMETERS',
    message,
    span: at ?? span,
    help,
  });
  const names = asked.map((one) => one.name);
  const unasked = given.filter((one) => !names.includes(one));
  const isClosed = additionalProperties === false;
  const missing = asked.filter((one) => one.required && !given.includes(one.name) && isClosed);
  const refused = isPython && !takesAnyInput ? unasked : [];
  return [
    ...(isPython ? [] : inputsTakenApart(given, file, name)),
    ...missing.map((one) =>
      warn(
        `the function "${name}" asks for "${one.name}", which is none of its tool's parameters`,
        one.span,
        didYouMean(one.name, unasked) ?? `add "${one.name}" to the parameters of the tool, or give it a default`,
      ),
    ),
    ...(missing.length === 0 && isClosed && given.length === 0
      ? asked.filter((one) => !hasDefault(one, file)).slice(0, 1)
      : []
    ).map((one) =>
      warn(
        `the function "${name}" reads "${one.name}", and its tool has no parameters: no model is told of any`,
        one.span,
        'describe it in `parameters` of the tool, as JSON Schema, or give it a default',
      ),
    ),
    ...refused.map((one) => warn(`the function "${name}" takes no "${one}", which its tool's parameters have`, span)),
  ];
}

/** Whether a value stands behind the name. One whose type is written elsewhere (`{ id }: Order`) counts as not required without it. */
function hasDefault({ span }: Parameter, { path, text }: SourceFile): boolean {
  if (path.endsWith('.py') || span === undefined) return true;
  return /^\s*(?::\s*[\w$]+\s*)?=(?![=>])/.test(text.slice(span.end));
}
