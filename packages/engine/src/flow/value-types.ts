/** Types a flow's input or output may have. */
export const valueTypes = [
  'int',
  'double',
  'bool',
  'string',
  'secret',
  'prompt_template',
  'list',
  'object',
  'file_path',
  'image',
  'assistant_definition',
] as const;
