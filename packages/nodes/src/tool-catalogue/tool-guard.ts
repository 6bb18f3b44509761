import {
  isMapping,
  type JsonObject,
  type JsonValue,
  jsonIn,
  listOf,
  mappingOf,
  nearestName,
  thrownText,
} from '@unroll/engine';
import { compileJsonSchema, type SchemaCheck } from '@unroll/engine/json-schema';
import type { CatalogueTool } from './catalogue-tool.ts';
import { noneOfThese } from './tool-offer.ts';

/** A call as a model wrote it: a name and arguments, JSON text or already read. */
export interface WrittenCall {
  readonly id?: string;
  readonly name: JsonValue;
  readonly arguments: JsonValue;
}

/** Why a call is not made. */
export type RefusalReason =
  | 'no_call'
  | 'no_such_tool'
  | 'not_offered'
  | 'arguments_no_json'
  | 'arguments_do_not_fit'
  | 'none_of_these';

/** A call that may be made. */
export interface AllowedCall {
  readonly ok: true;
  readonly tool: CatalogueTool;
  readonly arguments: JsonObject;
}

/** A call that is not made. `message` is for the model; a near name is told in it and never called. */
export interface RefusedCall {
  readonly ok: false;
  readonly reason: RefusalReason;
  readonly name: JsonValue;
  readonly message: string;
  readonly suggestion?: string;
}

export type CallVerdict = AllowedCall | RefusedCall;

/**
 * Stands between a model and tools: a call is allowed only where its name is, letter by letter, that of a tool that was
 * offered, and its arguments fit that tool's schema. Nothing is corrected, guessed or matched in another case.
 */
export class ToolGuard {
  private readonly offered: ReadonlyMap<string, CatalogueTool>;
  private readonly known: (name: string) => boolean;
  private readonly checks = new Map<string, SchemaCheck>();

  /** @param isKnown whether the catalogue has a tool of this name, so that one not offered is told as such */
  constructor(offered: readonly CatalogueTool[], isKnown: (name: string) => boolean = () => false) {
    this.offered = new Map(offered.map((tool) => [tool.name, tool]));
    this.known = isKnown;
  }

  check({ name, arguments: written }: WrittenCall): CallVerdict {
    if (name === noneOfThese && !this.offered.has(noneOfThese)) {
      return { ok: false, reason: 'none_of_these', name, message: 'No tool was called: none of these fits.' };
    }
    const tool = typeof name === 'string' ? this.offered.get(name) : undefined;
    if (tool === undefined) return this.unknown(name);
    const given = readArguments(written);
    if (given === undefined) {
      const message = `The arguments of "${tool.name}" are no JSON object. Nothing was called. Write them as one JSON object.`;
      return { ok: false, reason: 'arguments_no_json', name, message };
    }
    const settled = withoutNulls(given, tool.parameters);
    const problems = this.checkOf(tool)(settled);
    if (problems.length === 0) return { ok: true, tool, arguments: settled };
    const listed = problems.map(({ path, message }) => (path === '' ? message : `${path} ${message}`)).join('; ');
    const message = `The arguments of "${tool.name}" do not fit: ${listed}. Nothing was called.`;
    return { ok: false, reason: 'arguments_do_not_fit', name, message };
  }

  private unknown(name: JsonValue): RefusedCall {
    const said = typeof name === 'string' ? name : JSON.stringify(name ?? null);
    const shown = said.length > longestShown ? `${said.slice(0, longestShown)}…` : said;
    const reason = this.known(said) ? 'not_offered' : 'no_such_tool';
    const near = nearestName(said.slice(0, longestShown), this.offered.keys());
    const what =
      reason === 'not_offered' ? `"${shown}" is not among the tools of this turn` : `There is no tool "${shown}"`;
    const hint = near === undefined ? `There are: ${[...this.offered.keys()].join(', ')}.` : `Did you mean "${near}"?`;
    return {
      ok: false,
      reason,
      name,
      message: `${what}. Nothing was called. ${hint}`,
      ...(near === undefined ? {} : { suggestion: near }),
    };
  }

  private checkOf(tool: CatalogueTool): SchemaCheck {
    const before = this.checks.get(tool.name);
    if (before !== undefined) return before;
    const check = compiled(tool.parameters);
    this.checks.set(tool.name, check);
    return check;
  }
}

const longestShown = 80;

/** A schema that is itself wrong lets nothing through. */
function compiled(parameters: JsonObject): SchemaCheck {
  try {
    return compileJsonSchema(parameters);
  } catch (error) {
    const message = `the tool's own schema is wrong: ${thrownText(error)}`;
    return () => [{ path: '', message }];
  }
}

function readArguments(written: JsonValue): JsonObject | undefined {
  if (isMapping(written)) return written;
  if (typeof written !== 'string') return undefined;
  const value = written.trim() === '' ? {} : jsonIn(written);
  return isMapping(value) ? value : undefined;
}

/** Strict functions have models write null for what they leave out. */
function withoutNulls(given: JsonObject, parameters: JsonObject): JsonObject {
  const required = listOf(parameters['required']);
  const properties = mappingOf(parameters['properties']);
  const isLeftOut = (name: string, value: JsonValue): boolean =>
    value === null && !required.includes(name) && !takesNull(mappingOf(properties[name]));
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => !isLeftOut(name, value)));
}

/** As JSON Schema says it, and OpenAPI 3.0 (`nullable`). */
function takesNull({ type, nullable, anyOf, oneOf, enum: allowed }: JsonObject): boolean {
  const types = Array.isArray(type) ? (type as readonly JsonValue[]) : [type];
  if (types.includes('null') || nullable === true || listOf(allowed ?? []).includes(null)) return true;
  return [...listOf(anyOf ?? []), ...listOf(oneOf ?? [])].some((one) => takesNull(mappingOf(one)));
}

/** The calls a message asks for: its `tool_calls`, its `function_call`, or JSON `{name, arguments}` as its text. */
export function callsOfMessage(message: JsonValue): readonly WrittenCall[] {
  const given = isMapping(message) ? message : { content: message };
  const listed = listOf(given['tool_calls']).filter(isMapping);
  if (listed.length > 0) {
    return listed.map((call) => ({
      ...(typeof call['id'] === 'string' ? { id: call['id'] } : {}),
      ...unwrapped(mappingOf(call['function'])),
    }));
  }
  if (isMapping(given['function_call'])) return [unwrapped(given['function_call'])];
  const value = typeof given['content'] === 'string' ? readArguments(given['content']) : undefined;
  return value !== undefined && 'name' in value ? [unwrapped(value)] : [];
}

/** A call of `call_tool` is one of the tool that it names. */
function unwrapped(call: JsonObject): WrittenCall {
  const { name = null, arguments: given = null } = call;
  if (name !== 'call_tool') return { name, arguments: given };
  const inner = readArguments(given);
  return inner === undefined
    ? { name, arguments: given }
    : { name: inner['name'] ?? null, arguments: inner['arguments'] ?? null };
}
