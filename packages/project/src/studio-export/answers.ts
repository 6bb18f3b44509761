import { ProjectFailure } from '../host/project-failure.ts';
import type { ExportedAnswers, ExportedRows } from '../studio-contract/contract.ts';

type Asked = Readonly<Record<string, string | readonly string[] | undefined>>;

/** How an answer is named in an export: by what the page asks for it. */
export function questionOf(path: string, query: Asked = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  const asked = new URLSearchParams(pairs);
  asked.sort();
  const text = asked.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Answers that are gathered for an export. */
export class Answers {
  readonly answers: Record<string, unknown> = {};
  readonly rows: Record<string, ExportedRows> = {};

  /** What cannot be told is left out: the page then says that it is not in the export. */
  async add<T>(question: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      const answer = await work();
      this.answers[question] = answer;
      return answer;
    } catch (error) {
      if (error instanceof ProjectFailure) return undefined;
      throw error;
    }
  }

  /** Everything gathered so far, and nothing from now on. */
  take(): ExportedAnswers {
    const taken = { answers: { ...this.answers }, rows: { ...this.rows } };
    for (const part of [this.answers, this.rows]) for (const name of Object.keys(part)) delete part[name];
    return taken;
  }
}
