import { type JsonValue, parseJson, stringifyJson } from '@unroll/engine';
import { callTimeoutMs, invokeLambda, type LambdaTarget } from '../lambda/invoke-lambda.ts';
import type { ActionExecutor } from './act-step.ts';

/** Largest answer of a Lambda function that is called synchronously, in bytes (AWS Lambda quota, 6 MB). */
const answerLimit = 6 * 1024 * 1024;

/** An action group's Lambda function: called once with the event, never again. A function error ends the turn. */
export function lambdaAction(target: LambdaTarget, timeoutMs: number = callTimeoutMs): ActionExecutor {
  return async (event, { signal }) => {
    const invoked = await invokeLambda(target, stringifyJson(event), signal, timeoutMs, answerLimit);
    if (!invoked.ok) throw dependencyFailed(`${invoked.error.code}: ${invoked.error.message}`);
    const { functionError, body } = invoked.response;
    if (functionError !== undefined) throw dependencyFailed(messageOf(body));
    return readBody(body);
  };
}

function readBody(body: string): JsonValue {
  try {
    return parseJson(body);
  } catch {
    throw Object.assign(new Error('the function answered something that is no JSON'), { name: 'BadLambdaResponse' });
  }
}

/** Error payloads hold `errorMessage`, of whatever runtime. */
function messageOf(body: string): string {
  try {
    const { errorMessage } = parseJson(body) as { readonly errorMessage?: JsonValue };
    return typeof errorMessage === 'string' ? errorMessage : 'the function failed';
  } catch {
    return 'the function failed';
  }
}

/** Named as the service names what an action group has failed with. */
export function dependencyFailed(message: string): Error {
  return Object.assign(new Error(message), { name: 'DependencyFailed' });
}
