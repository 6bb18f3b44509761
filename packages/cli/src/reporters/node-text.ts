import { answeringFallback, type JsonValue, type NodeRun } from '@unroll/engine';
import { failureText, formatDuration, formatTokens, indentLines } from '@unroll/project/words';
import { readableValue } from '../text/readable-value.ts';
import { statusMark, statusPaint, statusWord } from '../text/status-mark.ts';
import type { Style } from '../text/style.ts';

/** Everything recorded of one node, over as many lines as it takes. */
export function nodeText(run: NodeRun, style: Style): string {
  const facts = [
    run.kind,
    statusPaint(run.status, style)(statusWord(run.status)),
    run.durationMs === undefined ? '' : formatDuration(run.durationMs),
    formatTokens(run.usage),
    answeredBy(run),
    run.cache === 'hit' ? `taken from ${run.cachedFrom ?? 'an earlier run'}` : '',
  ].filter((fact) => fact !== '');
  const parts = [
    `${statusMark(run.status, style)} ${style.strong(run.node)}  ${facts.join('  ')}`,
    section('inputs', run.inputs === undefined ? undefined : namedValues(run.inputs, style), style),
    section(
      'messages sent',
      run.promptMessages === undefined ? undefined : messagesText(run.promptMessages, style),
      style,
    ),
    section('output', run.status === 'Completed' ? readableValue(run.output ?? null) : undefined, style),
    section('printed', printedText(run), style),
    section('warnings', run.warnings?.map(style.sentence).join('\n'), style),
    section('tries', attemptsText(run, style), style),
    run.error === undefined ? '' : indentLines(failureText({ ...run.error, node: run.node }, { style }), 2),
  ];
  return `${parts.filter((part) => part !== '').join('\n')}\n`;
}

function section(title: string, text: string | undefined, style: Style): string {
  if (text === undefined || text === '') return '';
  return `  ${style.dim(title)}\n${indentLines(text.trimEnd(), 4)}`;
}

function namedValues(values: Readonly<Record<string, JsonValue>>, style: Style): string {
  return Object.entries(values)
    .map(([name, value]) => {
      const text = readableValue(value);
      return text.includes('\n') ? `${style.name(name)}:\n${indentLines(text, 2)}` : `${style.name(name)}: ${text}`;
    })
    .join('\n');
}

/** Chat messages as a conversation; anything else as JSON. */
export function messagesText(messages: JsonValue, style: Style): string {
  if (!Array.isArray(messages)) return readableValue(messages);
  return messages.map((message: JsonValue) => messageText(message, style)).join('\n');
}

function messageText(message: JsonValue, style: Style): string {
  const { role, content, ...rest } = message as Readonly<Record<string, JsonValue>>;
  if (typeof role !== 'string') return readableValue(message);
  const said = content === undefined || content === null ? '' : readableValue(content);
  const more = Object.keys(rest).length === 0 ? '' : readableValue(rest);
  return [style.name(role), ...[said, more].filter((text) => text !== '').map((text) => indentLines(text, 2))].join(
    '\n',
  );
}

function printedText(run: NodeRun): string | undefined {
  if (run.logs === undefined) return undefined;
  return [run.logs.stdout, run.logs.stderr].filter((text) => text !== '').join('\n');
}

/** Where it is another connection than the node's own. */
function answeredBy(run: NodeRun): string {
  const fallback = answeringFallback(run);
  return fallback === undefined ? '' : `answered by ${fallback.connection} (${fallback.model})`;
}

function attemptsText(run: NodeRun, style: Style): string | undefined {
  const attempts = run.attempts ?? [];
  if (attempts.length < 2) return undefined;
  return attempts
    .map(({ error, waitedMs, durationMs, fallback }, index) => {
      const who = fallback === undefined ? '' : `${fallback.connection} (${fallback.model}) `;
      const waited = waitedMs > 0 ? `, after waiting ${formatDuration(waitedMs)}` : '';
      return `${index + 1}  ${who}${error === undefined ? 'succeeded' : `${error.code}: ${style.sentence(error.message)}`} (${formatDuration(durationMs)}${waited})`;
    })
    .join('\n');
}
