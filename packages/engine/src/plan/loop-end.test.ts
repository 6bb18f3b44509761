import { expect, test } from 'vitest';
import type { JsonValue } from '../value/json.ts';
import { feedBackState, loopEnd } from './loop-end.ts';

const results = [{ name: 'search', arguments: { query: 'x' }, content: ['found'] }];
const open = { finished: false, query: 'q', function_results: results };

const noAnswer = 'it ended without an answer';

test.for([
  { state: { finished: true, content: 'yes' }, output: { status: 'answered', answer: 'yes' } },
  { state: { finished: true, content: null }, output: { status: 'unfinished', answer: null, reason: noAnswer } },
  { state: { finished: true }, output: { status: 'unfinished', answer: null, reason: noAnswer } },
  { state: { finished: true, content: ' \n' }, output: { status: 'unfinished', answer: ' \n', reason: noAnswer } },
  {
    state: { finished: true, content: '', status: 'answered', function_results: results },
    output: { status: 'unfinished', answer: '', reason: noAnswer, function_results: results },
  },
  { state: { finished: true, content: null, status: 'gave_up' }, output: { status: 'gave_up', answer: null } },
  { state: { finished: true, content: false }, output: { status: 'answered', answer: false } },
  { state: { finished: true, content: 0 }, output: { status: 'answered', answer: 0 } },
  {
    state: { finished: true, content: 'yes', function_results: results, query: 'q', secret: 1 },
    output: { status: 'answered', answer: 'yes', function_results: results },
  },
  {
    state: { finished: true, content: 'Which one?', status: 'asked_user' },
    output: { status: 'asked_user', answer: 'Which one?' },
  },
  { state: { finished: true, content: 'x', status: 'done' }, output: { status: 'answered', answer: 'x' } },
  { state: open, output: { status: 'unfinished', answer: null, function_results: results } },
  {
    state: { finished: false, content: 'not yet an answer' },
    output: { status: 'unfinished', answer: null, function_results: [] },
  },
  {
    state: { ...open, status: 'gave_up' },
    output: { status: 'gave_up', answer: null, function_results: results },
  },
  {
    state: { ...open, status: 'answered' },
    output: { status: 'unfinished', answer: null, function_results: results },
  },
  {
    state: { ...open, finished: 'true', content: 'yes' },
    output: {
      status: 'unfinished',
      answer: null,
      function_results: results,
      reason: '"finished" of its state is "true", neither true nor false',
    },
  },
  {
    state: { function_results: results },
    output: {
      status: 'unfinished',
      answer: null,
      function_results: results,
      reason: 'its state has no "finished"',
    },
  },
  { state: { finished: 0 }, output: { status: 'unfinished', answer: null, function_results: [] } },
  {
    state: open,
    onExhausted: 'finalize',
    final: 'all I know',
    output: { status: 'unfinished', finalized: true, answer: 'all I know', function_results: results },
  },
  {
    state: open,
    onExhausted: 'finalize',
    final: 'I know.\nFinal Answer: 42\n',
    answerBehind: 'Final Answer:',
    output: { status: 'unfinished', finalized: true, answer: '42', function_results: results },
  },
  {
    state: open,
    onExhausted: 'finalize',
    final: 'Action: search',
    answerBehind: 'Final Answer:',
    output: { status: 'unfinished', finalized: true, answer: 'Action: search', function_results: results },
  },
  {
    state: { finished: true, content: 'yes' },
    onExhausted: 'finalize',
    final: null,
    output: { status: 'answered', answer: 'yes' },
  },
  { state: { done: true, content: 1 }, until: 'done', output: { status: 'answered', answer: 1 } },
])(
  '$state ends as $output',
  ({ state, until = 'finished', onExhausted = 'unfinished', final, answerBehind, output }) => {
    const behind = answerBehind === undefined ? {} : { answer_behind: answerBehind };
    const inputs = { state, until, on_exhausted: onExhausted, loop: 'search', ...behind };
    expect(loopEnd(final === undefined ? inputs : { ...inputs, final })).toEqual({ ok: true, output });
  },
);

test('a loop that keeps no results gives none, and fails as any other', () => {
  const ended = { until: 'finished', loop: 'search', keeps_results: false };
  expect(loopEnd({ ...ended, state: { finished: true, content: 'yes', function_results: results } })).toEqual({
    ok: true,
    output: { status: 'answered', answer: 'yes' },
  });
  expect(loopEnd({ ...ended, state: open, on_exhausted: 'fail' })).toMatchObject({ error: { code: 'LoopExhausted' } });
});

test.for([
  {
    state: open as JsonValue,
    code: 'LoopExhausted',
    message: "Loop 'search' reached its bound and 'finished' of its state is still not true.",
  },
  {
    state: { ...open, finished: null },
    code: 'LoopExhausted',
    message: `Loop 'search' cannot go on: "finished" of its state is null, neither true nor false.`,
  },
  {
    state: 'text',
    code: 'LoopStateInvalid',
    message: "The last state of loop 'search' is no object, so that nobody can tell whether it has finished.",
  },
])('$state fails as $code', ({ state, code, message }) => {
  const error = { code, message, retryable: false };
  expect(loopEnd({ state, until: 'finished', on_exhausted: 'fail', loop: 'search' })).toEqual({ ok: false, error });
});

const failed = { code: 'ToolExecutionError', message: 'Execution failure', retryable: false };
const error = { ...failed, cause: { code: 'KeyError', message: "'serch'" } };
const content = ["KeyError: 'serch'"];

test.for([
  {
    message: { function_call: { name: 'serch', arguments: '{"query": "x"}' } },
    added: [{ name: 'serch', arguments: { query: 'x' }, content, error: true }],
  },
  {
    message: { function_call: { name: 'search', arguments: '{"query": ' } },
    added: [{ name: 'search', arguments: '{"query": ', content, error: true }],
  },
  {
    message: {
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'a', arguments: '{}' } },
        { id: 'c2', type: 'function', function: { name: 'b', arguments: '[1.0]' } },
      ],
    },
    added: [
      { id: 'c1', name: 'a', arguments: {}, content, error: true },
      { id: 'c2', name: 'b', arguments: [expect.objectContaining({})], content, error: true },
    ],
  },
  { message: null, added: [{ name: null, arguments: null, content, error: true }] },
  { message: 'plain text', added: [{ name: null, arguments: null, content, error: true }] },
])('a failure after $message is fed back', ({ message, added }) => {
  expect(feedBackState(open, message, error)).toEqual({ ...open, function_results: [...results, ...added] });
});

test('a failure without a cause gives its own message, a state that is none a fresh one', () => {
  expect(feedBackState(null, null, failed)).toEqual({
    finished: false,
    query: null,
    function_results: [{ name: null, arguments: null, content: ['Execution failure'], error: true }],
  });
});
