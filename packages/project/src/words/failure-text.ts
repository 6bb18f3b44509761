import { fromLines, type NodeError, type RowError, serviceText } from '@unroll/engine';
import { connectionAdvice } from '@unroll/promptflow';

/** How parts of a text are set off and told; each as it is where nothing is. */
export interface TextStyle {
  bad(text: string): string;
  strong(text: string): string;
  dim(text: string): string;
  /** One of our sentences in the language of who reads. */
  sentence(text: string): string;
}

const same = (text: string): string => text;

const plain: TextStyle = { bad: same, strong: same, dim: same, sentence: same };

/** Why a row failed, for people: the node, what kind of error, whose line, and whether trying again can help. */
export function failureText(
  error: RowError,
  { place, style = plain }: { readonly place?: string | undefined; readonly style?: TextStyle } = {},
): string {
  const who = error.node === undefined ? 'the flow' : `node ${error.node}`;
  const shown = error.cause ?? error;
  return [
    `${style.bad(`${who} failed`)}: ${style.strong(shown.code)}${place === undefined ? '' : style.dim(`  (${place})`)}`,
    indentLines(style.sentence(shown.message.trimEnd()), 2),
    ...fromLines(error).map((line) => indentLines(line, 2)),
    ...serviceLines(error).map((line) => `  ${style.dim(line)}`),
    ...(error.trace ?? []).map((line) => `  ${style.dim('at')} ${line}`),
    ...(error.help === undefined ? [] : [`  ${style.dim(style.sentence(error.help))}`]),
    ...connectionAdvice(shown.code).map((line) => `  ${style.dim(style.sentence(line))}`),
    `  ${style.dim(style.sentence(error.retryable ? 'The same run may succeed when tried again.' : 'Trying again will not help before something is changed.'))}`,
  ].join('\n');
}

/** Class and message of what was raised, and what else is known of the service that failed. */
export function errorLine(error: NodeError, { sentence }: Pick<TextStyle, 'sentence'> = plain): string {
  const { code, message } = error.cause ?? error;
  return [`${code}: ${sentence(message)}`, ...fromLines(error), ...serviceLines(error)].join(' — ');
}

function serviceLines({ service = {}, message, cause }: NodeError): readonly string[] {
  const text = serviceText(service, cause?.message ?? message);
  return text === '' ? [] : [`service: ${text}`];
}

/** Each line set in by `blanks`. */
export function indentLines(text: string, blanks: number): string {
  const indent = ' '.repeat(blanks);
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : indent + line))
    .join('\n');
}
