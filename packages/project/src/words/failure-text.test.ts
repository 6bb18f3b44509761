import { expect, test } from 'vitest';
import { errorLine, failureText } from './failure-text.ts';

test('code that asks promptflow itself for a connection of the flow is told how to give it one', () => {
  const cause = { code: 'ConnectionNotFoundError', message: "Connection 'my_azure' is not found." };
  const message = `Execution failure in 'main': (${cause.code}) ${cause.message}`;
  const error = { code: 'ScriptExecutionError', message, retryable: false, cause, trace: ['m.py:3 in main'] };
  expect(failureText({ ...error, node: 'main' })).toBe(`node main failed: ConnectionNotFoundError
  Connection 'my_azure' is not found.
  at m.py:3 in main
  promptflow itself, where it is installed, looks in its own store: pf connection create
  what connections.yaml holds reaches it as an argument: model={"configuration": config}, where config is a model configuration that the class of the flow takes
  Trying again will not help before something is changed.`);
  expect(failureText({ ...error, cause: { ...cause, code: 'ValueError' }, node: 'main' })).not.toContain('promptflow');
});

test('what an exception was raised from stands below its message', () => {
  const from = ['HttpResponseError: (Forbidden) The key is not valid\nCode: Forbidden'];
  const cause = { code: 'Exception', message: 'Exception occured in search.', from };
  const error = { code: 'ToolExecutionError', message: "Execution failure in 'lookup'", retryable: false, cause };
  expect(failureText({ ...error, node: 'lookup', trace: ['m.py:3 in search'] })).toBe(`node lookup failed: Exception
  Exception occured in search.
  from HttpResponseError: (Forbidden) The key is not valid
  Code: Forbidden
  at m.py:3 in search
  Trying again will not help before something is changed.`);
  expect(errorLine(error)).toBe(`Exception: Exception occured in search. — from ${from[0]}`);
});
