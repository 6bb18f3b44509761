import { isMapping, type JsonValue, type ModelReply, type ModelRequest } from '@unroll/engine';

/** A setting of Chat Completions that is asked for and that a service has no place for, and what else can be done. */
export interface VainSetting {
  readonly name: string;
  readonly way: string;
}

export interface VainSettings {
  /** Without them another answer would come than was asked for: no call is made. */
  readonly refused: readonly VainSetting[];
  /** Without them the answer means the same. */
  readonly unsent: readonly VainSetting[];
}

/** Those of `ways` that a request asks for. @param ways what else can be done, by the name of a setting */
export function askedAmong(request: ModelRequest, ways: Readonly<Record<string, string>>): readonly VainSetting[] {
  return Object.entries(ways).flatMap(([name, way]) => (isAsked(name, request[name]) ? [{ name, way }] : []));
}

/** Values that ask for nothing: Prompt flow's tools send some of them always. */
const unasked: Readonly<Record<string, JsonValue>> = {
  n: 1,
  best_of: 1,
  echo: false,
  logprobs: false,
  store: false,
  parallel_tool_calls: true,
  presence_penalty: 0,
  frequency_penalty: 0,
};

function isAsked(name: string, value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '') return false;
  if (Array.isArray(value)) return value.length > 0;
  if (name === 'response_format') return isMapping(value) && value['type'] !== 'text';
  if (isMapping(value)) return Object.keys(value).length > 0;
  const plain = unasked[name];
  return String(value).toLowerCase() !== String(plain) && !(typeof plain === 'number' && Number(value) === plain);
}

/** How they are told of a call. */
export function vainTexts(
  { refused, unsent }: VainSettings,
  service: string,
): {
  readonly refused: readonly string[];
  readonly warnings: readonly string[];
} {
  return {
    refused: refused.map(({ name, way }) => `${service} knows no ${name}: ${way}`),
    warnings: unsent.map(({ name, way }) => `${name} is not sent: ${way}`),
  };
}

export function withWarnings(reply: ModelReply, warnings: readonly string[]): ModelReply {
  return warnings.length === 0 ? reply : { ...reply, warnings: [...warnings, ...(reply.warnings ?? [])] };
}
