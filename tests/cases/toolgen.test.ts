import { isMapping, type JsonObject, type JsonValue } from '@unroll/engine';
import { prefixGrammar } from '@unroll/nodes/tool-catalogue';
import {
  type ApiAnswer,
  type ApiRequest,
  atomicToken,
  decodeBeams,
  decodeGreedy,
  decodeUnconstrained,
  findCollisions,
  finishIds,
  functionNameOf,
  hierarchicalPaths,
  type IndexingScheme,
  numericToken,
  numericWidth,
  rankAll,
  runAction,
  standardize,
  TokenTrie,
  TokenTrieError,
} from '@unroll/nodes/toolgen';
import { expect, test } from 'vitest';
import { readCases, readExactCases } from './case-file.ts';

interface NameCase {
  readonly tool: string;
  readonly api: string;
  readonly standardize_tool: string;
  readonly standardize_api: string;
  readonly name: string;
}

test.for(readCases<NameCase>('s4_names.jsonl'))('name of $api of $tool', ({ tool, api, ...wanted }) => {
  expect({
    standardize_tool: standardize(tool),
    standardize_api: standardize(api),
    name: functionNameOf(tool, api),
  }).toEqual(wanted);
});

interface TrieCase {
  readonly id: string;
  readonly why: string;
  readonly sequences: readonly (readonly number[])[];
  readonly probes: readonly {
    readonly prefix: readonly number[];
    readonly next?: readonly number[];
    readonly leaf?: boolean;
    readonly error?: string;
  }[];
  readonly max_height?: number;
  readonly error?: string;
}

test.for(readCases<TrieCase>('s4_trie.jsonl'))('$id: $why', ({ sequences, probes, max_height: height, error }) => {
  if (error !== undefined) {
    expect(() => new TokenTrie(sequences)).toThrow(TokenTrieError);
    return;
  }
  const trie = new TokenTrie(sequences);
  for (const { prefix, next, leaf, error: probeError } of probes) {
    const following = trie.next(prefix);
    if (probeError !== undefined) expect(following).toBeUndefined();
    else expect({ next: following, leaf: following?.length === 0 }).toEqual({ next, leaf });
  }
  if (height !== undefined) expect(trie.height).toBe(height);
});

interface DecodingCase {
  readonly id: string;
  readonly eos: number;
  readonly sequences: readonly (readonly number[])[];
  readonly logits: Readonly<Record<string, readonly number[]>>;
  readonly greedy_constrained: readonly number[];
  readonly greedy_unconstrained: readonly number[];
  readonly unconstrained_is_tool: boolean;
  readonly beam3: readonly RankedCase[];
  readonly exact_ranking: readonly RankedCase[];
}

interface RankedCase {
  readonly ids: readonly number[];
  readonly logprob: number;
}

test.for(readCases<DecodingCase>('s4_constrained_decoding.jsonl'))('$id', ({ eos, sequences, logits, ...wanted }) => {
  const trie = new TokenTrie(sequences);
  const next = (prefix: readonly number[]): readonly number[] | undefined => logits[prefix.join(',')];
  const sixDigits = (ranked: readonly RankedCase[]): readonly RankedCase[] =>
    ranked.map(({ ids, logprob }) => ({ ids, logprob: Math.round(logprob * 1e6) / 1e6 }));
  const free = decodeUnconstrained(next, eos, wanted.greedy_unconstrained.length);
  expect(decodeGreedy(trie, next)).toEqual(wanted.greedy_constrained);
  expect(wanted.greedy_unconstrained.slice(0, free.length)).toEqual(free);
  expect(sequences.some((ids) => ids.join() === wanted.greedy_unconstrained.join())).toBe(wanted.unconstrained_is_tool);
  expect(sixDigits(rankAll(sequences, next))).toEqual(sixDigits(wanted.exact_ranking));
  expect(sixDigits(decodeBeams(trie, next, 3))).toEqual(sixDigits(wanted.beam3));
});

test.for(readCases<DecodingCase>('s4_constrained_decoding.jsonl'))(
  '$id: a grammar of the names, factored by prefix, holds the model to the same tool',
  ({ sequences, logits, greedy_constrained: wanted }) => {
    const letter = (id: number): string => String.fromCodePoint(0x4e00 + id);
    const grammar = prefixGrammar(sequences.map((ids) => ids.map(letter).join('')));
    const taken: number[] = [];
    for (;;) {
      const allowed = lettersAfter(grammar, taken.map(letter).join(''));
      if (allowed.length === 0) break;
      const scores = logits[taken.join(',')] ?? [];
      const ids = allowed.map((one) => (one.codePointAt(0) ?? 0) - 0x4e00).sort((one, other) => one - other);
      taken.push(ids.reduce((best, id) => ((scores[id] ?? -Infinity) > (scores[best] ?? -Infinity) ? id : best)));
    }
    expect(taken).toEqual(wanted);
  },
);

/** Letters that a grammar of literals and rules allows behind a beginning: what a sampler masks by. */
function lettersAfter(grammar: string, text: string): readonly string[] {
  const lines = grammar
    .trim()
    .split('\n')
    .map((line) => line.split(' ::= '));
  const rules = new Map(lines.map(([name = '', body = '']) => [name, body.split(' | ')]));
  const walk = (rule: string, at: number): readonly string[] =>
    (rules.get(rule) ?? []).flatMap((alternative) => {
      const [quoted = '""', next] = alternative.split(' ');
      const literal = JSON.parse(quoted) as string;
      const rest = text.slice(at);
      if (literal.length > rest.length)
        return literal.startsWith(rest) ? [literal.slice(rest.length, rest.length + 1)] : [];
      if (!rest.startsWith(literal) || next === undefined) return [];
      return walk(next, at + literal.length);
    });
  return [...new Set(walk('root', 0))];
}

interface IndexCase {
  readonly id: string;
  readonly scheme: string;
  readonly name?: string;
  readonly tool?: string;
  readonly api?: string;
  readonly index?: number;
  readonly width?: number;
  readonly count?: number;
  readonly token?: string;
  readonly required_width?: number;
  readonly required?: JsonObject;
}

test.for(readCases<IndexCase>('s4_indexing.jsonl'))('$id: $scheme', (given) => {
  const { scheme, tool = '', api = '', token } = given;
  const isFinish = token !== undefined && given.tool === undefined && given.index === undefined;
  if (isFinish) expect(finishIds[scheme as IndexingScheme]).toBe(token);
  else if (given.required_width !== undefined) expect(numericWidth(given.count ?? 0)).toBe(given.required_width);
  else if (scheme === 'numeric') expect(numericToken(given.index ?? 0, given.width ?? 0)).toBe(token);
  else if (scheme === 'atomic') expect(atomicToken(tool, api)).toBe(token);
  else if (scheme === 'semantic' && token !== undefined) expect(functionNameOf(tool, api)).toBe(token);
  else if (scheme === 'semantic') {
    const same = [
      { tool: 'T', api: 'get x' },
      { tool: 't', api: 'GET X' },
      { tool: 't', api: 'other' },
    ];
    expect([...findCollisions(same)]).toEqual([['get_x_for_t', same.slice(0, 2)]]);
  } else checkPaths();
});

function checkPaths(): void {
  const vectors = Array.from({ length: 137 }, (_, at) => [Math.sin(at), Math.cos(at * 3), (at % 7) / 7]);
  const paths = hierarchicalPaths(vectors, 42).map((path) => path.join(''));
  expect(new Set(paths).size).toBe(vectors.length);
  expect(paths.every((path) => /^[0-9]+$/.test(path))).toBe(true);
  expect(paths.some((path) => paths.some((other) => other !== path && other.startsWith(path)))).toBe(false);
  expect(hierarchicalPaths(vectors, 42).map((path) => path.join(''))).toEqual(paths);
  expect(hierarchicalPaths([[1], [1], [1]], 1)).toHaveLength(3);
}

interface StepCase {
  readonly id: string;
  readonly why: string;
  readonly action: string;
  readonly input: string;
  readonly server: 'timeout' | { readonly status: number; readonly json?: JsonValue; readonly text?: string } | null;
  readonly result: {
    readonly observation: string;
    readonly code: number;
    readonly payload?: JsonObject;
    readonly observation_length?: number;
  };
}

test.for(readExactCases<StepCase>('s4_environment_steps.jsonl'))(
  '$id: $why',
  async ({ action, input, server, ...given }) => {
    const { result } = given;
    const requests: ApiRequest[] = [];
    const apis = new Map([['f_for_t', { category: 'C', tool: 't', api: 'f' }]]);
    const done = await runAction(action, input, apis, async (request) => {
      requests.push(request);
      return answerOf(server);
    });
    expect(requests).toEqual(result.payload === undefined ? [] : [result.payload]);
    const hidesError = result.code === 1 && result.payload !== undefined;
    if (hidesError) {
      const { error } = (typeof server === 'object' && isMapping(server?.json) && server.json) || {};
      expect(done.code).toBeGreaterThan(5);
      expect(done.observation).toContain(String(error));
      return;
    }
    expect(done.code).toBe(result.code);
    if (result.observation_length !== undefined) expect(done.observation).toHaveLength(result.observation_length);
    const shown = result.observation.endsWith('…') ? result.observation.slice(0, -1) : result.observation;
    if (shown === result.observation) expect(done.observation).toBe(shown);
    else expect(done.observation.startsWith(shown)).toBe(true);
  },
);

/** `'y' x 3000` in a case is that text written out; a body that is written as a text is none of JSON. */
function answerOf(server: StepCase['server']): ApiAnswer {
  if (server === null || server === 'timeout') return { type: 'timeout' };
  const { status, json } = server;
  if (isMapping(json)) return { type: 'answer', status, body: Object.fromEntries(Object.entries(json).map(written)) };
  return { type: 'answer', status, body: typeof json === 'string' || json === null ? undefined : json };
}

function written([name, value]: readonly [string, JsonValue]): readonly [string, JsonValue] {
  const repeated = typeof value === 'string' ? /^'(.)' x (\d+)$/.exec(value) : null;
  return [name, repeated === null ? value : (repeated[1] ?? '').repeat(Number(repeated[2]))];
}
