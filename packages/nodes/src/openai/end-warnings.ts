/** How an answer without text is told; the reason follows. */
export const emptyAnswerText = 'the model answered without text';

function emptyMessage(reason: string | null | undefined): string {
  return `${emptyAnswerText}${reason === null || reason === undefined ? '' : ` (finish_reason: ${reason})`}`;
}

/** How an answer that ended before its end is told; the reason follows. */
export const cutAnswerText = 'the answer was cut off';

/** What is doubtful about an answer by how it ended. @param reason `finish_reason`, in OpenAI's words */
export function endWarnings(reason: string | null | undefined, isEmpty: boolean): readonly string[] {
  if (isEmpty) return [emptyMessage(reason)];
  if (reason === 'length') return [`${cutAnswerText} at its limit of tokens (finish_reason: length)`];
  if (reason === 'content_filter') return [`${cutAnswerText} by the service's filter (finish_reason: content_filter)`];
  if (brokenOff.has(reason)) return [`${cutAnswerText} (finish_reason: ${reason})`];
  if (reason === null || reason === undefined || wholeEnds.has(reason)) return [];
  return [`the answer ended for a reason that is not known here, and may be cut off (finish_reason: ${reason})`];
}

/** What services say of an answer that they did not end as it was meant: vLLM, OpenRouter and Mistral, DeepSeek, Anthropic. */
const brokenOff: ReadonlySet<unknown> = new Set([
  'incomplete',
  'abort',
  'error',
  'insufficient_system_resource',
  'pause_turn',
]);

/** What services of OpenAI's form say of one that is whole. */
const wholeEnds: ReadonlySet<string> = new Set([
  '',
  'stop',
  'tool_calls',
  'function_call',
  'stop_sequence',
  'end_turn',
  'eos',
  'eos_token',
]);
