import { Float, isMapping, type JsonValue, ownValue } from '@unroll/engine';

/** What a service takes for a parameter. */
interface Kind {
  /** In words: `a number`. */
  readonly name: string;
  takes(value: JsonValue): boolean;
}

const number: Kind = {
  name: 'a number',
  takes: (value) => typeof value === 'number' || typeof value === 'bigint' || value instanceof Float,
};
const whole: Kind = {
  name: 'a whole number',
  takes: (value) => number.takes(value) && Number.isInteger(Number(value)),
};
const notNegative: Kind = {
  name: 'a number of 0 or more',
  takes: (value) => number.takes(value) && Number(value) >= 0,
};
const share: Kind = {
  name: 'a number from 0 to 1',
  takes: (value) => notNegative.takes(value) && Number(value) <= 1,
};
const count: Kind = {
  name: 'a whole number of 0 or more',
  takes: (value) => whole.takes(value) && Number(value) >= 0,
};
/** Prompt flow leaves 0 out; LM Studio and llama.cpp take -1 for no limit. */
const limit: Kind = { name: count.name, takes: (value) => count.takes(value) || Number(value) === -1 };
const yesOrNo: Kind = { name: 'true or false', takes: (value) => typeof value === 'boolean' };
const text: Kind = { name: 'a text', takes: (value) => typeof value === 'string' };
/** What a model is called. A number is sent as a text. */
const name: Kind = { name: 'a text', takes: (value) => !Array.isArray(value) && !isMapping(value) };
const mapping: Kind = { name: 'a mapping', takes: isMapping };
const list: Kind = { name: 'a list', takes: (value) => Array.isArray(value) };
const textOrTexts: Kind = {
  name: 'a text or a list of texts',
  takes: (value) => text.takes(value) || (Array.isArray(value) && value.every((one) => text.takes(one as JsonValue))),
};

/** As OpenAI's reference of Chat Completions has them; what any service understands in a way of its own is left out. */
const kinds: Readonly<Record<string, Kind>> = {
  model: name,
  deployment_name: name,
  temperature: notNegative,
  top_p: share,
  presence_penalty: number,
  frequency_penalty: number,
  max_tokens: limit,
  max_completion_tokens: limit,
  n: count,
  seed: whole,
  top_logprobs: count,
  stop: textOrTexts,
  user: text,
  response_format: mapping,
  logit_bias: mapping,
  metadata: mapping,
  parallel_tool_calls: yesOrNo,
  store: yesOrNo,
  tools: list,
  functions: list,
};

const examples: Readonly<Record<string, string>> = {
  response_format: 'write {type: json_object}',
  model: 'write a name, without brackets and braces',
  deployment_name: 'write a name, without brackets and braces',
};

export interface WrongKind {
  readonly expected: string;
  readonly help: string;
}

/** What a service expects of a parameter, where a value is nothing of the kind; what is no parameter may be anything. */
export function wrongKind(name: string, value: JsonValue): WrongKind | undefined {
  const kind = ownValue(kinds, name);
  if (kind === undefined || value === null || kind.takes(value)) return undefined;
  const meant = typeof value === 'string' ? meantBy(value) : undefined;
  const isMeant = meant !== undefined && kind.takes(meant);
  const example = ownValue(examples, name) ?? 'it is sent as it is';
  return { expected: kind.name, help: isMeant ? `write ${meant}, without quotes and full-width characters` : example };
}

function meantBy(written: string): JsonValue | undefined {
  const usual = written.normalize('NFKC').trim().toLowerCase();
  if (usual === 'true' || usual === 'false') return usual === 'true';
  return /^-?\d+(?:\.\d+)?$/.test(usual) ? Number(usual) : undefined;
}
