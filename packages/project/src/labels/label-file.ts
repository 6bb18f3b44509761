import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { expectedSentence, type JsonObject, type JsonValue, meantIssues, thrownText, valueHash } from '@unroll/engine';
import * as z from 'zod';
import { writeShownFile } from '../host/output-file.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { reasonOf } from '../host/refusal.ts';
import { type ShownFile, withFileLock } from '../host/with-file-lock.ts';

/**
 * A line of a file of labels: what a person says of one answer to one question, by one metric. Other keys that stand in it stay: a
 * newer release may have written them.
 */
const keptLabel = z.looseObject({
  metric: z.string(),
  /** Digests of the row's inputs and of what was judged: the label holds wherever the same question has the same answer. */
  inputs: z.string(),
  answer: z.string(),
  /** The question, for whoever reads the file. */
  about: z.string().optional(),
  judgement: z.enum(['pass', 'fail', 'unsure']).optional(),
  score: z.int().min(1).max(5).optional(),
  note: z.string().optional(),
  expected: z.string().optional(),
});

export type KeptLabel = z.infer<typeof keptLabel>;

/** What tells one label from another. */
export type LabelKey = Pick<KeptLabel, 'metric' | 'inputs' | 'answer'>;

/** `cases.labels.jsonl` beside `cases.jsonl`. */
export function labelPath(data: string): string {
  return `${data.replace(/\.[^./\\]+$/, '')}.labels.jsonl`;
}

export function labelKey(metric: string, inputs: JsonObject, answer: JsonValue): LabelKey {
  const sorted = Object.fromEntries(Object.entries(inputs).sort(([one], [other]) => (one < other ? -1 : 1)));
  return { metric, inputs: valueHash(sorted).slice(0, 16), answer: valueHash(answer).slice(0, 16) };
}

export function keyText({ metric, inputs, answer }: LabelKey): string {
  return `${inputs} ${answer} ${metric}`;
}

/**
 * The labels of a file by their keys; none where it is not there.
 *
 * @param file absolute
 * @param shown as a person would type it
 * @throws ProjectFailure where it cannot be read, or naming the first line that is no label
 */
export function readLabels(file: string, shown: string): ReadonlyMap<string, KeptLabel> {
  return new Map(readLines(file, shown).map(({ label }) => [keyText(label), label]));
}

/** A label, and its line as somebody wrote it. */
interface LabelLine {
  readonly label: KeptLabel;
  readonly text: string;
}

function readLines(file: string, shown: string): readonly LabelLine[] {
  const lines = new Map<string, LabelLine & { readonly number: number }>();
  for (const [at, text] of fileText(file, shown).split('\n').entries()) {
    if (text.trim() === '') continue;
    const number = at + 1;
    const label = readLine(text, `${shown}:${number}`);
    const other = lines.get(keyText(label));
    if (other !== undefined && text.trim() !== other.text.trim()) throw saidTwice(shown, number, other.number);
    if (other === undefined) lines.set(keyText(label), { label, text, number });
  }
  return [...lines.values()];
}

/** What a merge of two people's labels leaves: neither is the later one. */
function saidTwice(shown: string, number: number, other: number): ProjectFailure {
  return new ProjectFailure(`${shown}:${number}: it says something else of the answer that line ${other} is about`, {
    code: 'LabelFileError',
    help: 'Take one of the two lines out; nothing is written until then.',
  });
}

/** Bytes: each label that is given writes all of it. */
const maxBytes = 64 * 2 ** 20;

/** What is no file is not opened: a pipe would be waited for. Text that does not decode would be written back as another. */
function fileText(file: string, shown: string): string {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return '';
    if (!stats.isFile()) throw new Error('it is no file');
    if (stats.size > maxBytes) throw new Error(`it has more than ${maxBytes / 2 ** 20} MB`);
    const bytes = readFileSync(file);
    if (!isUtf8(bytes)) throw new Error('it is no UTF-8');
    return bytes.toString('utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new ProjectFailure(`${shown} cannot be read: ${reasonOf(error)}`, { code: 'LabelFileError' });
  }
}

function readLine(line: string, where: string): KeptLabel {
  const given = parsed(line, where);
  const read = keptLabel.safeParse(given, { error: expectedSentence });
  // As it stands: the schema would give its keys another order.
  if (read.success) return given as KeptLabel;
  const [issue] = read.error.issues.flatMap(meantIssues);
  throw new ProjectFailure(`${where}: ${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'is no label'}`, {
    code: 'LabelFileError',
    help: 'Mend the line or take it out; nothing is written until then.',
  });
}

const mergeMark = /^(<{7}|={7}|>{7}|\|{7})( |$)/;

function parsed(line: string, where: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (mergeMark.test(line)) {
      throw new ProjectFailure(`${where}: it is a mark of a merge that is not settled`, {
        code: 'LabelFileError',
        help: 'Settle the merge in this file; nothing is written until then.',
      });
    }
    throw new ProjectFailure(`${where}: ${thrownText(error)}`, {
      code: 'LabelFileError',
      help: 'Mend the line or take it out; nothing is written until then.',
    });
  }
}

/**
 * Writes one label, or takes it back; lines of others stay where they are, so that git shows the one that changed. The file takes
 * its place when it is whole, and two that write at once come one after the other.
 *
 * @param label undefined takes it back
 * @param requireKnown throws where what is kept of it now is none that may be written over
 * @throws ProjectFailure where a line of the file is no label, or it cannot be written
 */
export async function writeLabel(
  { file, shown }: ShownFile,
  key: LabelKey,
  label: Omit<KeptLabel, keyof LabelKey> | undefined,
  requireKnown: (kept: KeptLabel | undefined) => void = () => undefined,
): Promise<ReadonlyMap<string, KeptLabel>> {
  return await withFileLock({ file, shown }, async () => {
    const lines = new Map(readLines(file, shown).map((line) => [keyText(line.label), line]));
    requireKnown(lines.get(keyText(key))?.label);
    if (label === undefined) lines.delete(keyText(key));
    else lines.set(keyText(key), written({ ...key, ...label }));
    writeShownFile({ file, shown }, [...lines.values()].map(({ text }) => `${text}\n`).join(''));
    return new Map([...lines].map(([text, line]) => [text, line.label]));
  });
}

function written(label: KeptLabel): LabelLine {
  return { label, text: JSON.stringify(label) };
}
