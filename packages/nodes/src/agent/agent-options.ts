import { type JsonObject, plainNumber, toolCallKeys } from '@unroll/engine';

export type AgentFormat = 'tools' | 'functions' | 'react';

/** What an agent's author chose. */
export interface AgentOptions {
  readonly agent: string;
  readonly format: AgentFormat;
  /** false: what cannot be read fails the row; a text, or true for the usual one, is told to the model. */
  readonly handleParsingErrors: boolean | string;
  readonly onToolError: 'fail' | 'feed_back';
  /** What the model is told of a tool that failed; `{code}` and `{message}` are filled in. */
  readonly toolErrorText: string;
  readonly unknownTool: string;
  readonly matchNames: 'exact' | 'any_case';
  /** How many of the last steps the model sees; 0 or less for all. */
  readonly trim: number;
  /** Milliseconds all iterations may take. */
  readonly maxTimeMs?: number;
}

/** Keys of a `tools` node. */
export const toolsKeys: readonly string[] = ['agent', ...toolCallKeys];

const defaultUnknownTool = '{name} is not a valid tool, try another available tool: {tools}';

export function readOptions(name: string, settings: JsonObject): AgentOptions {
  const { agent, format, handle_parsing_errors: handle, on_tool_error: onError, unknown_tool: unknown } = settings;
  const { tool_error_text: errorText, match_names: match, trim_intermediate_steps: trim, max_time: seconds } = settings;
  return {
    agent: typeof agent === 'string' ? agent : name,
    format: format === 'functions' || format === 'react' ? format : 'tools',
    handleParsingErrors: typeof handle === 'string' || handle === true ? handle : false,
    onToolError: onError === 'feed_back' ? 'feed_back' : 'fail',
    toolErrorText: typeof errorText === 'string' ? errorText : '{code}: {message}',
    unknownTool: typeof unknown === 'string' ? unknown : defaultUnknownTool,
    matchNames: match === 'any_case' ? 'any_case' : 'exact',
    trim: plainNumber(trim) ?? 0,
    ...(seconds === undefined || seconds === null ? {} : { maxTimeMs: Number(seconds) * 1000 }),
  };
}
