import { expect, test } from 'vitest';
import { testTable } from '../../testing/test-table.ts';

const tool = (name: string, args: string): string => `- {name: ${name}, description: d, ${args}}`;

const connector = (name: string, more = ''): string =>
  `    - {name: ${name}, aws_lambda_functions: {function_name: f, region_name: r${more}}}`;

const searched =
  '    - {name: searched, aws_lambda_functions: {function_name: f, region_name: r}, azure_ai_search: {index_name: i}}';

const names = ['no_list', 'no_schema', 'no_type', 'number_for_type', 'no_members', 'elements', 'handled'];

test('a definition of a user program that is not of the form of the manual is told with its place', async () => {
  await using table = testTable({
    'tools.yaml': [
      '- {name: own, description: d, lambda: {function: f}, args: [{field_name: x, schema: {annotaion: string}}]}',
      '- {name: text, description: d, lambda: {function: f}, args: [x]}',
      '- {lambda_files: {tools: tools.ja.yml, assistant: ai_assistant.yml}}',
    ].join('\n'),
    'tools.ja.yml': [
      'aws_lambda_functions:',
      tool('no_list', 'args: 5'),
      tool('no_schema', 'args: [{field_name: x, shema: {annotation: string}}]'),
      tool('no_type', 'args: [{field_name: x, schema: {}}]'),
      tool('number_for_type', 'args: [{field_name: 12, schema: {annotation: 5}}]'),
      tool('no_members', 'args: [{field_name: x, schema: {annotation: object}, nest: null}]'),
      tool('elements', 'args: [{field_name: x, schema: {annotation: array, items: string}}]'),
      tool('handled', 'args: []'),
      tool('searched', 'args: []'),
      tool('twice', 'args: []'),
      'azure_ai_search: [{name: documents}]',
    ].join('\n'),
    'ai_assistant.yml': [
      'service:',
      '  langchain:',
      '    tools:',
      ...names.slice(0, -1).map((name) => connector(name)),
      connector('handled', ', handle: {raise_function_processing_error: "no"}'),
      searched,
      connector('twice'),
      connector('twice'),
    ].join('\n'),
  });
  await expect(table.told).toMatchFileSnapshot('lambda-mistakes.golden.txt');
});
