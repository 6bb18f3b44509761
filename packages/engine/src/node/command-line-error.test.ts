import { expect, test } from 'vitest';
import { commandLineError } from './command-line-error.ts';

test('a connection that is not there is told by its name alone', () => {
  const message =
    "Tool load failed in 'n': (GetConnectionError) Get connection 'c' for node 'n' error: Connection 'c' not found in dict connection provider. Available keys are [].";
  expect(commandLineError({ code: 'ResolveToolError', message })).toEqual({
    code: 'ConnectionNotFoundError',
    message: "Connection 'c' is not found.",
    codes: ['UserError', 'SDKError', 'ConnectionNotFoundError'],
  });
});

test('another error is told as it is', () => {
  const error = { code: 'ResolveToolError', message: "Tool load failed in 'n': (PythonLoadError) no" };
  expect(commandLineError(error)).toBe(error);
});
