import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject, type JsonValue, parseJson } from '@unroll/engine';
import { casesFolder } from '../case-file.ts';

/** What Prompt flow's own engine does with a flow folder; the form is described in cases/promptflow/README.md. */
export interface PromptFlowCase {
  readonly id: string;
  readonly why: string;
  readonly flow: string;
  readonly flow_file?: string;
  readonly mode: 'load' | 'exec' | 'test' | 'stream' | 'node' | 'batch';
  readonly inputs?: JsonObject;
  readonly node?: string;
  readonly dependency_outputs?: JsonObject;
  readonly variant?: string;
  readonly environment_variables?: Readonly<Record<string, string>>;
  readonly data?: Readonly<Record<string, string>>;
  readonly column_mapping?: JsonObject;
  /** Arguments of the original's batch engine, `init_kwargs` among them. */
  readonly batch_options?: JsonObject;
  /** Arguments of its run, `max_lines_count` among them. */
  readonly run_options?: JsonObject;
  /** Names of the connections there are; absent in cases that need none. */
  readonly connections?: readonly string[];
  readonly connection_overrides?: JsonObject;
  /** Definitions of package tools by their ids, as a package that is installed gives them; or the file they stand in. */
  readonly package_tools?: JsonObject | string;
  readonly llm?: readonly RecordedCall[];
  readonly expect: JsonObject;
}

/** A request the original sent to a model, with the reply it got. */
export interface RecordedCall {
  readonly api: 'chat' | 'completions' | 'embeddings';
  readonly provider: 'azure' | 'openai';
  readonly request: JsonObject;
  readonly response: JsonValue;
  readonly status?: number;
  readonly header_called_from?: string;
  readonly api_version?: string;
}

export const promptFlowFolder: string = join(casesFolder, 'promptflow');

/** Numbers keep Python's difference between `1` and `1.0`. */
export function readPromptFlowCases(): readonly PromptFlowCase[] {
  const lines = readFileSync(join(promptFlowFolder, 'cases.jsonl'), 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => parseJson(line) as unknown as PromptFlowCase);
}
