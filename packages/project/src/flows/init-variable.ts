import { isMapping, type JsonObject, type JsonValue, kindOf, parseJson } from '@unroll/engine';
import type { System } from '../host/project-host.ts';

type InitVariable =
  | { readonly ok: true; readonly init: JsonObject }
  | { readonly ok: false; readonly isJson: boolean; readonly message: string; readonly help: string };

const name = 'PF_FLOW_INIT_CONFIG';
const help = `it gives what the class takes, as one JSON object: ${name}='{"mark": "!"}'`;

/**
 * Arguments of the class that is a flow, where it is served. What Python takes for nothing (`null`, `[]`) gives none, as in Prompt
 * flow, which passes anything else on and fails where it looks for a name in it.
 */
export function readInitVariable(environment: System['environment']): InitVariable {
  const written = environment[name] ?? '';
  if (written === '') return { ok: true, init: {} };
  const value = jsonOrNone(written);
  // In Prompt flow's words. It may hold keys of services: no more is told than tells what it is.
  if (value === undefined)
    return {
      ok: false,
      isJson: false,
      message: `${name} can't be deserialized to json: it begins with ${JSON.stringify(written.slice(0, 8))}`,
      help,
    };
  if (isMapping(value)) return { ok: true, init: value };
  const isNothing = Array.isArray(value) ? value.length === 0 : !value || Number(value) === 0;
  if (isNothing) return { ok: true, init: {} };
  const found = typeof value === 'string' ? 'a text' : kindOf(value);
  return { ok: false, isJson: true, message: `${name} holds ${found}, not a JSON object`, help };
}

function jsonOrNone(written: string): JsonValue | undefined {
  try {
    return parseJson(written);
  } catch {
    return undefined;
  }
}
