import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mistakeSentences } from '../mistakes/mistakes-in-japanese.ts';
import { sentencesInSources } from '../sentences-in-sources.fixture.ts';
import { toldSentences } from '../told/told-in-japanese.ts';
import { commandFailureInJapanese, commandSentences } from './command-failures-in-japanese.ts';

const root = join(import.meta.dirname, '../../../../..');

const said = sentencesInSources(root, [
  'packages/cli/src/!(options|completion)/**/*.ts',
  'packages/cli/src/*.ts',
  'packages/{engine,evals,nodes,project,queue,server}/src/**/*.ts',
]);

/** Told in English in every language, each for a reason. */
const others = new Set([
  // A value, or what a service said, with a mark behind it.
  '{} (max_response_bytes)',
  '{} (HTTP {})',
  '{}, and {}',
  'filter: {}',
  'only: {}',
  // Python's words, and Prompt flow's.
  'list indices must be integers or slices, not str',
  "string indices must be integers, not 'str'",
  "'{}' object is not subscriptable",
  "{} Here is a valid function example: {}. See more details at https://platform.openai.com/docs/api-reference/chat/create#chat/create-functions or view sample 'How to use functions with chat models' in our gallery.",
  '{} Here is a valid tool example: {}. See more details at https://platform.openai.com/docs/api-reference/chat/create',
  "{} '{}' must be a dict, {}",
  '{} {} must contain "{}" field.',
  'function parameter "{}" in tool_choice must be a dict, {}',
  'function parameter "{}" in tool_choice must contain "name" field.',
  '{} should be described as a JSON Schema object.',
  "{} does not have '{}' property.",
  "parameters 'type' should be 'object'.",
  "parameters 'properties' should be described as a JSON Schema object.",
  "Promptflow executor received non json data, but there's more than 1 input fields, please use json request data instead.",
  'Required input fields {} are missing in request data {}',
  'The request data must be a JSON object with the inputs of the flow by name.',
  'Multiple stream output fields not supported.',
  // Parts of mistakes of a flow, which are told as a whole.
  'name a connection to a model, for instance of type open_ai',
  'write api: chat, or name a connection of type open_ai or azure_open_ai',
  'hold the answer by structured_outputs, or use a connection of type open_ai',
  'write api: chat, and the prompt as messages',
  'write the name of a {} that it has',
  'write "model" in the place of "deployment_name"',
  'add "model" to the inputs of the node',
  'write {}, without quotes and full-width characters',
  'described by no JSON Schema',
  'paths start at the folder of the flow',
  // Said to programs that import the library, or ask a server.
  '{} is named by a text, not by {}',
  '{} are given as a list of texts, not as {}',
  'each of {}',
  '{} must be an object, not {}',
  'the module @unroll/nodes/telemetry was left out when this program was bundled',
  'settings cannot be read: {}',
  '{} is no JSON list of names: {}',
  'For instance: ["answer","context"]',
  // The word of a table, and a part of a sentence.
  'not run',
  'what it was',
]);

test('why a command did nothing has its Japanese, each sentence of it', () => {
  const known = (sentence: string): boolean =>
    sentence in commandSentences || sentence in toldSentences || sentence in mistakeSentences || others.has(sentence);
  expect([...said.keys()].filter((sentence) => !known(sentence))).toEqual([]);
});

test('what is told in Japanese is said somewhere', () => {
  const source = globSync(
    'packages/{cli,engine,evals,nodes,project,promptflow,queue,server}/src/**/!(*.test|*-japanese).ts',
    {
      cwd: root,
    },
  )
    .map((file) =>
      readFileSync(join(root, file), 'utf8')
        .replaceAll('\\n', '\n')
        .replaceAll(/\\(['"`$])/g, '$1'),
    )
    .join('\n');
  const gone = Object.keys(commandSentences).filter(
    (english) => !english.split('{}').every((part) => part.length < 4 || source.includes(part)),
  );
  expect(gone).toEqual([]);
  expect([...others].filter((sentence) => !said.has(sentence))).toEqual([]);
});

test('what is told in Japanese names no value that the sentence does not have', () => {
  const values = (english: string): number => english.split('{}').length - 1;
  const wrong = Object.entries(commandSentences).filter(([english, japanese]) =>
    [...japanese.matchAll(/\{(\d)\*?\}/g)].some(([, place]) => Number(place) > values(english)),
  );
  expect(wrong).toEqual([]);
});

test.for([
  ['the input "質問" is missing', '入力 "質問" がありません'],
  [
    'Give it with\n  --input "質問=…" (string)\nor all at once with --inputs FILE (JSON).',
    '次のように指定してください。\n  --input "質問=…" (string)\nまとめて指定するには --inputs FILE（JSON）を使います。',
  ],
  ['flows/質問 holds no eval.yaml', 'flows/質問 に eval.yaml がありません'],
  [
    'line 3 of input data: the row has 2 values, the first line names 4 columns',
    '入力データの行 3：行の値は 2 個ですが、1 行目の列は 4 個です',
  ],
  ['there is no run x. It may have been removed.', '実行 x が見つかりません。削除された可能性があります。'],
  [
    'files that the flow names would not go along\na/flow.dag.yaml:3:5 error FILE_MISSING there is no file "x.py"\n    path: x.py\n          ~~~~\n1 error',
    'フローに書かれたファイルのうち、一緒に送られないものがあります\na/flow.dag.yaml:3:5 エラー FILE_MISSING ファイル「x.py」がありません\n    path: x.py\n          ~~~~\nエラー 1 件',
  ],
  ['Slow down, and try again', 'Slow down, and try again'],
])('%j is told as %j', ([english = '', japanese]) => {
  expect(commandFailureInJapanese(english)).toBe(japanese);
});
