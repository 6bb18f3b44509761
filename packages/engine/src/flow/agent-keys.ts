/** Most plans an agent makes where its author says nothing: LangChain's default. */
export const defaultIterations = 15;

/** Keys of a node of type `agent` beside the common ones, and what each is for. */
export const agentKeys: Readonly<Record<string, string>> = {
  tools: 'What the agent may call: a list, or the path of a YAML file that holds one.',
  format: 'How tools are told to the model: `tools` (default), `functions`, or `react` (as text).',
  max_iterations: `How often the model is asked at most, 0 to 100; default ${defaultIterations}.`,
  max_time: 'Seconds all iterations together may take; calls that still run then are stopped.',
  budget: 'What the iterations together may spend, as of a loop: `tokens`, `cost`, `seconds`.',
  early_stopping:
    'At the bound: without it no answer; `force` answers with a fixed sentence, `generate` asks the model once more, without tools.',
  handle_parsing_errors:
    'What cannot be read (arguments that are no JSON or do not fit, a text of no known form): `false` (default) fails the row, `true` or a text tells the model.',
  on_tool_error: 'A tool that fails: `fail` (default) fails the row, `feed_back` tells the model.',
  tool_error_text: 'What the model is told of a tool that failed; `{code}` and `{message}` are filled in.',
  unknown_tool: 'What the model is told when it asks for a tool there is not; `{name}` and `{tools}` are filled in.',
  match_names: '`exact` (default), or `any_case`: a name written in other letters is taken for the tool.',
  trim_intermediate_steps:
    'How many of the last steps the model sees; 0 (default) for all. What is returned is not trimmed.',
  return_intermediate_steps: 'Whether the result holds `function_results`; default true.',
};

/** Keys of an agent that its `tools` node has as well: what calls are made, and what the model is told of them. */
export const toolCallKeys: readonly string[] = [
  'tools',
  'format',
  'max_time',
  'handle_parsing_errors',
  'on_tool_error',
  'tool_error_text',
  'unknown_tool',
  'match_names',
  'trim_intermediate_steps',
];
