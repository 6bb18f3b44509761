import type { Embedder, JsonObject, JsonValue } from '@unroll/engine';
import { describe, expect, test } from 'vitest';
import { type EvaluatorServices, type PreparedEvaluator, type Score, turnOf } from './evaluator.ts';
import { evaluators } from './evaluators.ts';
import type { ChosenJudge, Judged, JudgedPlace } from './judge.ts';

function prepared(name: string, parameters: JsonObject, services: EvaluatorServices): PreparedEvaluator {
  const evaluator = evaluators.find((one) => one.name === name);
  if (evaluator === undefined) throw new Error(`no evaluator ${name}`);
  return evaluator.prepare(evaluator.parameters.parse(parameters) as JsonObject, services, true, 'metric');
}

interface GivenTo {
  readonly value?: JsonValue;
  readonly expected?: JsonValue;
  readonly inputs?: JsonValue;
  readonly iteration?: number;
}

async function scoreOf(evaluator: PreparedEvaluator, { value = null, expected, inputs, iteration = 1 }: GivenTo) {
  const row = { line: 7, repeat: 2, data: {}, inputs: {}, outputs: {} };
  const turns = [turnOf(iteration, value)];
  return await evaluator.score({ value, turns, expected, reads: { inputs }, cost: { isCached: false }, row });
}

/** A judge that says what it is told to, and remembers what it was asked. */
function judgeThat(says: (inputs: JsonObject) => Judged, metrics: JsonObject = {}) {
  const asked: (readonly [inputs: JsonObject, place: JudgedPlace])[] = [];
  const opened: (readonly [judge: ChosenJudge, key: string])[] = [];
  const judge = {
    ask: async (inputs: JsonObject, place: JudgedPlace) => {
      asked.push([inputs, place]);
      return says(inputs);
    },
    metrics: () => metrics,
    run: () => 'run-1',
  };
  const open = (chosen: ChosenJudge, key: string) => {
    opened.push([chosen, key]);
    return judge;
  };
  return { asked, opened, services: { judges: { open, settle: async () => {} } } };
}

describe('flow: a judge that scores', () => {
  test.for<readonly [output: JsonValue, score: Score]>([
    [0.5, 0.5],
    [' 4 ', 4],
    ['-1.5e1', -15],
    ['0x10', { unscored: 'the judge gave no number', isError: true, said: '"0x10"' }],
    [true, 1],
    [false, 0],
    ['', { unscored: 'the judge gave no number', isError: true, said: '""' }],
    ['good', { unscored: 'the judge gave no number', isError: true, said: '"good"' }],
    [null, { unscored: 'the judge gave no number', isError: true, said: 'null' }],
    ['x'.repeat(90), { unscored: 'the judge gave no number', isError: true, said: `"${'x'.repeat(79)}…` }],
  ])('that says %j', async ([score, wanted]) => {
    const { services, asked, opened } = judgeThat(() => ({ outputs: { score } }));
    const evaluator = prepared('flow', { flow: 'j', as: 'answer' }, services);
    expect(await scoreOf(evaluator, { value: 'v', inputs: { question: 'q' }, iteration: 3 })).toEqual(wanted);
    expect(asked).toEqual([
      [
        { question: 'q', answer: 'v' },
        { line: 7, repeat: 2, turn: 2 },
      ],
    ]);
    expect(opened).toEqual([[{ flow: 'j' }, 'metric answer']]);
    expect(evaluator.judgedBy?.()).toBe('run-1');
    expect(evaluator.total).toBeUndefined();
  });

  test('by another output, from a score that passes', async () => {
    const { services, asked } = judgeThat(() => ({ outputs: { rating: { value: 4 } } }));
    const parameters = { flow: 'j', score: '${outputs.rating.value}' };
    expect(await scoreOf(prepared('flow', { ...parameters, pass_from: 4 }, services), {})).toBe(1);
    expect(await scoreOf(prepared('flow', { ...parameters, pass_from: 5 }, services), {})).toBe(0);
    expect(await scoreOf(prepared('flow', { flow: 'j', pass_from: 5 }, services), {})).toMatchObject({ isError: true });
    expect(asked.map(([inputs]) => inputs)).toEqual([{}, {}, {}]);
  });

  test('a judge that failed', async () => {
    const { services } = judgeThat(() => ({ failed: 'CassetteMiss', message: 'not on it' }));
    expect(await scoreOf(prepared('flow', { flow: 'j' }, services), {})).toEqual({
      unscored: 'judge failed: CassetteMiss',
      isError: true,
      said: 'not on it',
    });
  });

  test.for<readonly [metrics: JsonObject, total: Score]>([
    [{ share: 0.8, other: 1 }, 0.8],
    [{}, { unscored: 'the judge logged no number as share', isError: true, said: 'it logged nothing' }],
    [
      { a: 1, b: 2 },
      { unscored: 'the judge logged no number as share', isError: true, said: 'it logged a, b' },
    ],
  ])('what it logs over all rows, %j', async ([metrics, total]) => {
    const { services } = judgeThat(() => ({ outputs: {} }), metrics);
    const evaluator = prepared('flow', { flow: 'j', metric: 'share' }, services);
    expect(await scoreOf(evaluator, {})).toEqual({ unscored: 'counted by the judge' });
    expect(evaluator.total?.()).toEqual(total);
  });
});

test('a long whole number that a judge logs is one', async () => {
  const { services } = judgeThat(() => ({ outputs: {} }), { share: 10n ** 20n });
  expect(prepared('flow', { flow: 'j', metric: 'share' }, services).total?.()).toBe(1e20);
});

describe('pairwise: a judge that prefers', () => {
  const parameters = { flow: 'j', between: ['one', 'two'] };

  test.for<readonly [refFirst: JsonValue, outFirst: JsonValue, score: number]>([
    ['second', 'first', 1],
    ['B', ' A ', 1],
    [2, 1, 1],
    ['two', 'one', 1],
    ['first', 'second', 0],
    ['one', 'two', 0],
    ['first', 'first', 0.5],
    ['second', 'second', 0.5],
    ['tie', 'first', 0.5],
    ['second', 'neither', 0.5],
    [0, 'C', 0.5],
    ['equal', 'both', 0.5],
  ])('that says %j, then %j: %f', async ([refFirst, outFirst, score]) => {
    const { services, asked } = judgeThat(({ one }) => ({ outputs: { winner: one === 'old' ? refFirst : outFirst } }));
    const evaluator = prepared('pairwise', parameters, services);
    const given = { value: 'new', expected: 'old', inputs: { question: 'q' } };
    expect(await scoreOf(evaluator, given)).toBe(score);
    expect(asked).toEqual([
      [
        { question: 'q', one: 'old', two: 'new' },
        { line: 7, repeat: 2, turn: 0 },
      ],
      [
        { question: 'q', one: 'new', two: 'old' },
        { line: 7, repeat: 2, turn: 1 },
      ],
    ]);
    expect(evaluator.judgedBy?.()).toBe('run-1');
  });

  test.for([
    ['a', 'b', 1],
    ['b', 'a', 0],
    ['A', 'B', 1],
    ['first', 'second', 0],
  ] as const)('that says %j, then %j, where the first input is called B: %d', async ([refFirst, outFirst, score]) => {
    const { services } = judgeThat(({ B: first }) => ({ outputs: { winner: first === 'old' ? refFirst : outFirst } }));
    const evaluator = prepared('pairwise', { flow: 'j', between: ['B', 'A'] }, services);
    expect(await scoreOf(evaluator, { value: 'new', expected: 'old' })).toBe(score);
  });

  test('the same answer is a tie, and nobody is asked', async () => {
    const { services, asked } = judgeThat(() => ({ outputs: { winner: 'second' } }));
    const evaluator = prepared('pairwise', parameters, services);
    expect(await scoreOf(evaluator, { value: { a: 1 }, expected: { a: 1 } })).toBe(0.5);
    expect(asked).toEqual([]);
  });

  test('no winner that can be read, or no judgement', async () => {
    const vague = judgeThat(() => ({ outputs: { winner: 'the former' } }));
    expect(await scoreOf(prepared('pairwise', parameters, vague.services), { value: 'x', expected: 'y' })).toEqual({
      unscored: 'the judge names no winner',
      isError: true,
      said: '"the former"',
    });
    const failing = judgeThat(() => ({ failed: 'Timeout' }));
    expect(await scoreOf(prepared('pairwise', parameters, failing.services), { value: 'x', expected: 'y' })).toEqual({
      unscored: 'judge failed: Timeout',
      isError: true,
    });
  });
});

describe('embedding_similarity', () => {
  /** Texts are written as vectors: `1 0`. */
  const embedder: Embedder = {
    model: 'written',
    fusion: { method: 'linear', weights: { keyword: 1, vector: 1 } },
    embed: async (texts, purpose) =>
      purpose === 'document'
        ? { ok: true, vectors: texts.map((text) => Float32Array.from(text.split(' ').map(Number))) }
        : { ok: false, error: { code: 'WrongPurpose', message: purpose, retryable: false } },
  };
  const embeddedBy = (one: Embedder | string) => ({ openEmbedder: async () => one });

  test.for<readonly [value: JsonValue, expected: JsonValue | undefined, score: Score, atLeast?: number]>([
    ['1 0', '2 0', 1],
    ['1 0', '0 3', 0],
    ['1 0', '-1 0', -1],
    ['3 4', '4 3', 24 / 25],
    ['0 0', '1 0', 0],
    ['0 0', '0 0', 1],
    ['1 0', '0 0', { unscored: 'the embedder makes nothing of what is expected' }],
    ['3 4', '4 3', 1, 0.9],
    ['3 4', '4 3', 0, 0.97],
    ['1 0', '1 0', 1, 1],
    [' ', '1 0', { unscored: 'no text' }],
    [null, '1 0', 0, 0.5],
    ['1 0', ['0 3', '', '0 0', '4 3'], 4 / 5],
    ['1 0', [''], { unscored: 'no expectation' }],
    ['1 0', null, { unscored: 'no expectation' }],
    ['1 0', undefined, { unscored: 'no expectation' }],
  ])('%j and %j: %j', async ([value, expected, score, atLeast]) => {
    const parameters = atLeast === undefined ? {} : { at_least: atLeast };
    const given = expected === undefined ? { value } : { value, expected };
    const found = await scoreOf(prepared('embedding_similarity', parameters, embeddedBy(embedder)), given);
    if (typeof score === 'number') expect(found).toBeCloseTo(score, 6);
    else expect(found).toEqual(score);
  });

  test.for<readonly [what: string, services: EvaluatorServices, unscored: string]>([
    ['nobody embeds', {}, 'embeddings are not at hand here'],
    ['no such connection', embeddedBy('there is no connection x'), 'there is no connection x'],
    [
      'the service fails',
      embeddedBy({
        ...embedder,
        embed: async () => ({ ok: false, error: { code: 'x', message: 'down', retryable: true } }),
      }),
      'the embedder failed: down',
    ],
    [
      'a vector is missing',
      embeddedBy({ ...embedder, embed: async () => ({ ok: true, vectors: [new Float32Array(2)] }) }),
      'the embedder gave no vector',
    ],
  ])('%s: an error', async ([, services, unscored]) => {
    const evaluator = prepared('embedding_similarity', {}, services);
    expect(await scoreOf(evaluator, { value: '1 0', expected: '1 0' })).toEqual({ unscored, isError: true });
  });

  test('is opened once, by its connection and model', async () => {
    const opened: unknown[] = [];
    const openEmbedder = async (...asked: readonly unknown[]) => {
      opened.push(asked);
      return embedder;
    };
    const evaluator = prepared('embedding_similarity', { connection: 'azure', model: 'm' }, { openEmbedder });
    await scoreOf(evaluator, { value: '1 0', expected: '1 0' });
    await scoreOf(evaluator, { value: '0 1', expected: '1 0' });
    expect(opened).toEqual([['azure', 'm']]);
  });
});
