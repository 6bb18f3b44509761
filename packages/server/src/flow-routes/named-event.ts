import { type JsonObject, type NodeEvent, type NodeRun, stringifyJson } from '@unroll/engine';

/** What nodes were given and gave stays in the record. */
export function namedEvent(event: NodeEvent): string {
  if (event.type === 'node-started') return eventText(event.type, { node: event.node });
  if (event.type === 'streams-begin' || event.type === 'call-failed') return '';
  if (event.type === 'text') {
    const { node, text, output } = event;
    return eventText('text', { node, text, ...(output === undefined ? {} : { output }) });
  }
  return nodeEndedEvent(event.run);
}

export function nodeEndedEvent({ node, status, durationMs, usage }: NodeRun): string {
  const tokens =
    usage === undefined ? null : { prompt_tokens: usage.promptTokens, completion_tokens: usage.completionTokens };
  return eventText('node-ended', { node, status, duration_ms: durationMs ?? null, tokens });
}

export function eventText(name: string, data: JsonObject): string {
  return `event: ${name}\ndata: ${stringifyJson(data)}\n\n`;
}
