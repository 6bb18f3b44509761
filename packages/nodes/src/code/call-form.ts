import type { CodeContext, CodeFunction } from './code-function.ts';
import type { CallForm } from './code-place.ts';
import { describeThrown } from './describe-thrown.ts';

/** What a program that was called as AWS Lambda calls it gave: JSON text, and what kind of error it is where it is one. */
export interface ProgramAnswer {
  readonly body: string;
  readonly functionError?: string;
}

/** A function of any form as one that is called with inputs and context, as nodes are. */
export function inForm(run: CodeFunction, form: CallForm): CodeFunction {
  if (form === 'node') return run;
  return form === 'tool' ? asTool(run as unknown as ToolFunction) : asProgram(run as unknown as Handler);
}

type ToolFunction = (given: unknown, help: Pick<CodeContext, 'signal' | 'environment' | 'log'>) => unknown;

function asTool(run: ToolFunction): CodeFunction {
  return async (given, { signal, environment, log }) => {
    const result = await run(given, { signal, environment, log });
    if (isBinary(result)) throw named('BINARY_RESULT', 'the tool answered with what is no text');
    return result;
  };
}

function isBinary(result: unknown): boolean {
  return ArrayBuffer.isView(result) || result instanceof ArrayBuffer || result instanceof Blob;
}

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

type Handler = (event: unknown, context: { readonly functionName: unknown }) => unknown;

/** As the Node.js runtime calls it: what it returns is printed as JSON, what it throws is an answer too. */
function asProgram(handler: Handler): CodeFunction {
  return async ({ payload, functionName }): Promise<ProgramAnswer> => {
    try {
      const result = await handler(JSON.parse(String(payload)), { functionName });
      return { body: JSON.stringify(result) ?? 'null' };
    } catch (thrown) {
      const { code: errorType, message: errorMessage } = describeThrown(thrown);
      return { body: JSON.stringify({ errorType, errorMessage, trace: [] }), functionError: 'Unhandled' };
    }
  };
}
