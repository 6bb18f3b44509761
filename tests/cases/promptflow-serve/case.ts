import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject, type JsonValue, parseJson } from '@unroll/engine';
import { casesFolder } from '../case-file.ts';

const ownFolder = join(import.meta.dirname, '../../../cases/promptflow/serve');
const given = join(casesFolder, 'promptflow/serve');

/** Folder of the cases, with the flows they serve: of `$CASES_DIR` where it has some, else the project's own. */
export const serveCasesFolder: string = existsSync(join(given, 'cases.jsonl')) ? given : ownFolder;

/** More answers of Prompt flow 1.18.5, recorded in the same way with the same model server: where a trial of 1,150 requests beside it found us to differ. */
const recordedFolder = join(import.meta.dirname, 'recorded');

/** Every folder of cases; flows of one may be asked in another. */
export const serveFolders: readonly string[] =
  serveCasesFolder === ownFolder ? [ownFolder, recordedFolder] : [serveCasesFolder];

/** One answer of Prompt flow's server; cases/promptflow/serve/README.md says what the fields mean. */
export interface ServeCase {
  readonly id: string;
  readonly feature: string;
  readonly flow: string;
  readonly engines: readonly string[];
  readonly serve?: {
    readonly args?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    readonly source?: string;
    readonly connections?: readonly string[];
  };
  /** Null: the server is only started. */
  readonly request: CaseRequest | null;
  readonly expect: CaseAnswer;
  readonly llm?: string;
  readonly why: string;
}

export interface CaseRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | readonly (readonly [string, string])[];
  readonly json?: JsonValue;
  readonly data?: JsonValue;
  readonly data_base64?: string;
  readonly chunked?: boolean;
}

export interface CaseAnswer {
  readonly status?: number | null;
  readonly content_type?: JsonValue;
  readonly json?: JsonValue;
  readonly text?: JsonValue;
  readonly raw?: string;
  readonly incomplete?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly llm_requests?: JsonValue;
  readonly starts?: boolean;
  readonly exit_code?: number;
  readonly message?: string;
}

/** A case as it is written, its placeholders not yet filled in. */
export interface WrittenCase {
  readonly text: string;
  readonly told: ServeCase;
}

export function readServeCases(): readonly WrittenCase[] {
  const lines = serveFolders.flatMap((folder) => readFileSync(join(folder, 'cases.jsonl'), 'utf8').split('\n'));
  return lines.filter((line) => line.trim() !== '').map((text) => ({ text, told: caseOf(text) }));
}

/** @param places what stands for `<flow_dir>`, `<server>` and `<fake>` */
export function filledIn(text: string, places: Readonly<Record<string, string>>): string {
  return text.replaceAll(/<(flow_dir|server|fake)>/g, (whole, name: string) => places[name] ?? whole);
}

/** Numbers as Python reads them. */
export function caseOf(text: string): ServeCase {
  return parseJson(text) as JsonObject as unknown as ServeCase;
}
