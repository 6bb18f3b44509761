import { type NodeError, type RowError, serviceText } from '@unroll/engine';
import { indentLines } from '../text/readable-value.ts';
import type { Style } from '../text/style.ts';

/** Why a row failed, for people: the node, what kind of error, whose line, and whether trying again can help. */
export function failureText(
  error: RowError,
  options: { readonly place?: string | undefined; readonly style: Style },
): string {
  const { place, style } = options;
  const who = error.node === undefined ? 'the flow' : `node ${error.node}`;
  const shown = error.cause ?? error;
  return [
    `${style.bad(`${who} failed`)}: ${style.strong(shown.code)}${place === undefined ? '' : style.dim(`  (${place})`)}`,
    indentLines(shown.message.trimEnd(), 2),
    ...serviceLines(error).map((line) => `  ${style.dim(line)}`),
    ...(error.trace ?? []).map((line) => `  ${style.dim('at')} ${line}`),
    `  ${style.dim(error.retryable ? 'The same run may succeed when tried again.' : 'Trying again will not help before something is changed.')}`,
  ].join('\n');
}

/** Class and message of what was raised, and what else is known of the service that failed. */
export function errorLine(error: NodeError): string {
  const { code, message } = error.cause ?? error;
  return [`${code}: ${message}`, ...serviceLines(error)].join(' — ');
}

function serviceLines({ service = {}, message, cause }: NodeError): readonly string[] {
  const text = serviceText(service, cause?.message ?? message);
  return text === '' ? [] : [`service: ${text}`];
}
