import { expect, test } from 'vitest';
import { promptFlowCodes } from './error-codes.ts';

const toolLoad = "Tool load failed in 'n': ";

test.for<[className: string, message: string, codes: string]>([
  ['ToolExecutionError', '', 'UserError/ToolExecutionError'],
  ['ZeroDivisionError', '', 'SystemError/ZeroDivisionError'],
  ['UserErrorException', '', 'UserError'],
  ['RateLimitError', '', 'UserError/OpenAIError/RateLimitError'],
  ['WrappedOpenAIError', 'OpenAI API hits NotFoundError: no', 'UserError/OpenAIError/NotFoundError'],
  ['WrappedOpenAIError', 'something else', 'UserError/OpenAIError/WrappedOpenAIError'],
  // Two classes of one name: of the executor, and of the tools.
  [
    'InvalidConnectionType',
    'Connection type CustomConnection is not supported for LLM.',
    'UserError/ValidationError/InvalidFlowRequest/InvalidConnectionType',
  ],
  ['InvalidConnectionType', "Not Support connection type 'x'", 'UserError/ToolValidationError/InvalidConnectionType'],
  ['ResolveToolError', `${toolLoad}(InvalidSource) no file`, 'UserError/ValidationError/InvalidSource'],
  [
    'ResolveToolError',
    `${toolLoad}Jinja parsing failed at line 2: (TemplateSyntaxError) unexpected`,
    'SystemError/TemplateSyntaxError',
  ],
  ['ResolveToolError', 'nothing within', 'SystemError/ResolveToolError'],
])('the codes of %s, %j', ([className, message, codes]) => {
  expect(promptFlowCodes(className, message).join('/')).toBe(codes);
});
