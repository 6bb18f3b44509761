import { expect, test } from 'vitest';
import { commandLineError } from './command-line-error.ts';

test('a connection that is not there is told by its name alone', () => {
  const message =
    "Tool load failed in 'n': (GetConnectionError) Get connection 'c' for node 'n' error: Connection 'c' not found in dict connection provider. Available keys are [].";
  expect(commandLineError({ code: 'ResolveToolError', message })).toEqual({
    code: 'ConnectionNotFoundError',
    message: "Connection 'c' is not found.",
  });
});

test.for([
  ['(PythonLoadError) Failed to load', 'PythonLoadError', 'Failed to load'],
  ["(PackageToolNotFoundError) Package tool 'a'", 'PackageToolNotFoundError', "Package tool 'a'"],
  ["(InvalidSource) Load tool failed for node 'n'.", 'InvalidSource', "Load tool failed for node 'n'."],
])('a tool that cannot be loaded is told without its node: %s', ([text, code, message]) => {
  expect(commandLineError({ code: 'ResolveToolError', message: `Tool load failed in 'n': ${text}` })).toMatchObject({
    code,
    message,
  });
});

test.for([
  "Tool load failed in 'n': (InvalidSource) Node source path 'a' is invalid on node 'n'.",
  "Tool load failed in 'n': (NodeInputValidationError) Input 'i'",
])('another error is told as it is: %s', (message) => {
  const error = { code: 'ResolveToolError', message };
  expect(commandLineError(error)).toBe(error);
});
