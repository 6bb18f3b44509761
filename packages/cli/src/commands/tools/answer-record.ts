import { appendFileSync, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type JsonValue, stringifyJson } from '@unroll/engine';
import {
  keyOf,
  type RecordedAnswer,
  RecordedAnswerError,
  type RecordedAnswers,
  readRecordedAnswers,
} from '@unroll/nodes/toolgen';
import { ProjectFailure, readTextFile } from '@unroll/project';
import type { Io } from '../../io.ts';

/** What was recorded, and what is simulated from now on. */
export interface AnswerRecord {
  readonly answers: RecordedAnswers;
  /** Writes it to the file too. Where that cannot be written it is told, and the answer holds until the server ends. */
  keep(answered: RecordedAnswer): void;
}

/**
 * @param path JSONL; need not be there; absent where nothing is to be recorded
 * @throws ProjectFailure where the file cannot be read, or a line of it is no recorded answer
 */
export function openAnswerRecord(path: string | undefined, io: Io): AnswerRecord {
  const full = path === undefined ? undefined : resolve(io.folder, path);
  const text = path !== undefined && full !== undefined && existsSync(full) ? readTextFile(path, io) : '';
  const answers = new Map(readAnswers(text, path ?? ''));
  // Of a file that was written by hand the last line may have no end.
  let before = text === '' || text.endsWith('\n') ? '' : '\n';
  const append = (answered: RecordedAnswer): void => {
    if (full === undefined) return;
    const line = stringifyJson(io.redactor.value(answered as unknown as JsonValue));
    try {
      appendFileSync(full, `${before}${line}\n`);
      before = '';
    } catch (error) {
      const { code = String(error) } = error as NodeJS.ErrnoException;
      io.stderr.write(
        `${path} cannot be written (${code}): the answer of ${answered.api_name} is not recorded there\n`,
      );
    }
  };
  const keep = ({ answer, ...asked }: RecordedAnswer): void => {
    const key = keyOf(asked);
    if (answers.has(key)) return;
    answers.set(key, answer);
    append({ ...asked, answer });
  };
  return { answers, keep };
}

function readAnswers(text: string, path: string): RecordedAnswers {
  try {
    return readRecordedAnswers(text);
  } catch (error) {
    if (!(error instanceof RecordedAnswerError)) throw error;
    throw new ProjectFailure(`${path}:${error.line}: ${error.reason}`);
  }
}
