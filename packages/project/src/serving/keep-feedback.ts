import { isUtf8 } from 'node:buffer';
import { appendFile, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonObject, type JsonValue, jsonOrText, makeFolder, stringifyJson } from '@unroll/engine';
import { notify, type ProjectHost } from '../host/project-host.ts';
import { reasonOf } from '../host/refusal.ts';

/** Whoever may ask a flow may send feedback: a file of it grows no larger than this. */
const maxBytes = 64 * 2 ** 20;

/**
 * Keeps what somebody thinks of an answer: a line of `feedback.jsonl` in the runs folder, `{at, flow, place, feedback}`. Feedback that is no
 * JSON is kept as the text it is; bytes that are no UTF-8 as `{base64}`.
 *
 * @param said as it was sent
 * @param about the flow, and the row it is about (`<run>/<line>`) where that was said
 * @returns whether it is kept; where it is not, that is told
 */
export async function keepFeedback(
  said: Uint8Array,
  about: { readonly flow: string; readonly place?: string },
  host: ProjectHost,
): Promise<boolean> {
  const line = { at: new Date(host.now()).toISOString(), ...about, feedback: writtenFeedback(said) };
  const problem = await appendLine('feedback.jsonl', line, host);
  if (problem !== undefined) notify(host, { kind: 'warning', message: `feedback cannot be kept: ${problem}` });
  return problem === undefined;
}

/**
 * Keeps the labels of a row: a line of `labels.jsonl` in the runs folder, `{at, flow, place, labels}`. Of several lines about a row the last
 * is the one that holds; the studio shows them (served-labels.ts).
 *
 * @param about the flow, and its row as `<run>/<line>`
 * @returns whether they are kept; where they are not, that is told
 */
export async function keepLabels(
  labels: JsonObject,
  about: { readonly flow: string; readonly place: string },
  host: ProjectHost,
): Promise<boolean> {
  const line = { at: new Date(host.now()).toISOString(), ...about, labels };
  const problem = await appendLine('labels.jsonl', line, host);
  if (problem !== undefined) notify(host, { kind: 'warning', message: `labels cannot be kept: ${problem}` });
  return problem === undefined;
}

/** @returns why it cannot be written, where that is so */
async function appendLine(name: string, line: JsonObject, host: ProjectHost): Promise<string | undefined> {
  try {
    makeFolder(host.runsFolder);
    const file = join(host.runsFolder, name);
    const { size } = (await stat(file).catch(() => undefined)) ?? { size: 0 };
    const start = (await endsInLine(file, size)) ? '' : '\n';
    const text = `${start}${stringifyJson(host.redactor.sharedValue(line))}\n`;
    if (size + Buffer.byteLength(text) > maxBytes) return `${name} is as large as it may be, 64 MB: move it elsewhere`;
    await appendFile(file, text);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** A line that was cut off, by a full disk or a kill, takes no line after it along. */
async function endsInLine(path: string, size: number): Promise<boolean> {
  if (size === 0) return true;
  await using file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString() === '\n';
}

function writtenFeedback(said: Uint8Array): JsonValue {
  return isUtf8(said) ? jsonOrText(new TextDecoder().decode(said)) : { base64: Buffer.from(said).toString('base64') };
}
