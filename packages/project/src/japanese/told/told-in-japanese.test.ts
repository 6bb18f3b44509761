import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandFailureInJapanese } from '../commands/command-failures-in-japanese.ts';
import { mistakeInJapanese } from '../mistakes/mistakes-in-japanese.ts';
import { sentencesInSources } from '../sentences-in-sources.fixture.ts';
import {
  anyTextInJapanese,
  endInJapanese,
  ownTextInJapanese,
  toldInJapanese,
  toldSentences,
} from './told-in-japanese.ts';

const root = join(import.meta.dirname, '../../../../..');

/** What of the sources a page of the studio can show: its own failures, those of records and runs, those of nodes. */
const shown = [
  'packages/project/src/{studio,labels,playground,records,diff,explain,forecast,bulk,chat,host,row-index}/*.ts',
  'packages/project/src/flows/{find-flow,open-for-run}.ts',
  'packages/project/src/evaluation/{evaluate-file,expectations,file-evaluators,open-judges}.ts',
  'packages/server/src/studio-routes/*.ts',
  'packages/server/src/http/studio-*.ts',
  'packages/engine/src/{record,run,node}/*.ts',
  'packages/engine/src/{plan/loop-end,source/refusal}.ts',
  'packages/nodes/src/tool/lambda/check-tool.ts',
  'packages/nodes/src/{agent,cassette,code,converse,embedded-index,embedders,errors,extras,openai,prompt}/*.ts',
  'packages/nodes/src/lookup/{ask-index,open-search-index}.ts',
  'packages/nodes/src/ai-sdk/*.ts',
  'packages/nodes/src/azure-search/*.ts',
  'packages/nodes/src/connections/find-connection.ts',
  'packages/nodes/src/http/{answer-limit,ask-service}.ts',
  'packages/nodes/src/llm/{ask-in-stream,find-service,parse-chat,prompt-request,redacted-services}.ts',
  'packages/nodes/src/python/{python-error,python-node-type,python-outcome,python-parts,worker-end}.ts',
  'packages/nodes/src/scripted/scripted-service.ts',
  'packages/nodes/src/tool-catalogue/tool-lookup-node-type.ts',
  'packages/nodes/src/tool/{lambda,table}/*.ts',
];

/** Not told again in Japanese, each for a reason. */
const others = new Set([
  // Python's words.
  'list indices must be integers or slices, not str',
  "string indices must be integers, not 'str'",
  "'{}' object is not subscriptable",
  // A value, or what a service said, with a mark behind it.
  '{} (max_response_bytes)',
  '{} (HTTP {})',
  // Too short to be told from what somebody else said.
  '{}, and {}',
  '{}, nor at {}',
  // A mistake of a flow, with its Japanese among those.
  'the source of node "{}" names no file',
  'export it under this name',
  'write `function:`, the name of one of its functions',
  'define it in connections.yaml, or with flow connection create',
  'a custom_llm node of the tool promptflow.tools.openai_gpt4v.OpenAI.chat shows images to its model',
  'max_response_bytes of connection "{}" is "{}"',
  // Said to the command line alone, or to programs.
  '{} must hold a mapping: flow, data, column_mapping …',
  'the module @unroll/nodes/telemetry was left out when this program was bundled',
  '--otlp takes the http address of a receiver, not "{}"',
  'For instance: --otlp http://localhost:4318',
  'Download it (in the studio: the files of the flow), then flow run FOLDER.',
  'Download it, then --data FILE.',
  'Download it (pfazure run download --name NAME), then flow import-run FOLDER.',
  '{} is a file, not an empty folder',
  '{} is not empty',
  'filter: {}',
  'only: {}',
  'which data? Give a file or a folder as data, or an earlier run as run',
  'standard input is read as JSONL in UTF-8, not as {}',
  'the rows of run {} are read as they were recorded, not as {}',
  'Write the rows to a file and name it as data.',
  '{} is named by a text, not by {}',
  '{} are given as a list of texts, not as {}',
  '{} must be an object, not {}',
  'each of {}',
]);

const said = sentencesInSources(root, shown);

test('what failures say has its Japanese, each sentence of them', () => {
  expect(said.size).toBeGreaterThan(250);
  expect([...said.keys()].filter((sentence) => !(sentence in toldSentences || others.has(sentence)))).toEqual([]);
  expect([...others].filter((sentence) => !said.has(sentence))).toEqual([]);
});

test('what is told in Japanese is said in the sources, with the same values', () => {
  const texts = globSync('packages/{engine,nodes,project,server}/src/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) =>
      readFileSync(join(root, file), 'utf8')
        .replaceAll(/\\(['"`$])/g, '$1')
        .replaceAll('\\n', '\n'),
    );
  const source = texts.join('\n');
  const gone = Object.keys(toldSentences).filter(
    (english) => !english.split('{}').every((part) => part.length < 4 || source.includes(part)),
  );
  expect(gone).toEqual([]);
  const values = (english: string): number => english.split('{}').length - 1;
  const wrong = Object.entries(toldSentences).filter(([english, japanese]) =>
    [...japanese.matchAll(/\{(\d)\*?\}/g)].some(([, place]) => Number(place) > values(english)),
  );
  expect(wrong).toEqual([]);
});

test.for<[string, string | undefined]>([
  ['run right has no row 7 that ended', '実行 right に、終わった行 7 がありません'],
  ['run right has no row 7', '実行 right に行 7 がありません'],
  ["node '要約' ran longer than its time limit of 5 s", 'ノード「要約」が制限時間の 5 秒を超えました'],
  ['cases.jsonl cannot be changed: it is larger than 64 MB', 'cases.jsonl を変更できません：64 MB を超えています'],
  [
    'OpenAI API hits exception: APIError: the service answered with an error (429): Slow down, and try again',
    'モデルの呼び出しに失敗しました（APIError）：サービスがエラーを返しました (429)：Slow down, and try again',
  ],
  [
    "Execution failure in 'ask': (Error) the run was stopped",
    'ノード「ask」でエラーが起きました（Error）：the run was stopped',
  ],
  [
    'the model answered without text (finish_reason: stop)',
    'モデルの応答にテキストがありません（finish_reason：stop）',
  ],
  ['the model answered without text', 'モデルの応答にテキストがありません'],
  ['user is not sent: provider_options may hold it', 'user は送っていません：provider_options に書けます'],
  [
    "loop 'search' goes round no more: 1,200 of 1,000 tokens",
    'ループ「search」は続けません：上限 1,000 トークンのうち 1,200 トークンを使いました',
  ],
  [
    'told to the model: faq failed: InvalidArguments: the arguments are no JSON object',
    'モデルに伝えました：faq が失敗しました（InvalidArguments：引数が JSON オブジェクトではありません）',
  ],
  [
    'the run record .flow/runs/a.run is damaged: database disk image is malformed',
    '実行の記録 .flow/runs/a.run は壊れています：データベースの内容が壊れています',
  ],
  ['Slow down, and try again', undefined],
  ['', undefined],
])('%j is told as %j', ([english, japanese]) => {
  expect(toldInJapanese(english)).toBe(japanese);
});

test.for([
  ['there is no run x. It may have been removed.', '実行 x が見つかりません。削除された可能性があります。'],
  [
    'there is no run x of the flow and data of e/eval.yaml. It may have been removed.',
    'e/eval.yaml のフローとデータによる実行 x が見つかりません。削除された可能性があります。',
  ],
  ['Slow down. Try again', 'Slow down. Try again'],
  ['質問.jsonl:2: no JSON: end of text', '質問.jsonl:2: JSON ではありません：end of text'],
  ['a row is missing', 'a row is missing'],
  ['質問.jsonl:2: Slow down', '質問.jsonl:2: Slow down'],
])('with what to do behind it, %j is told as %j', ([english = '', japanese]) => {
  expect(anyTextInJapanese(english)).toBe(japanese);
});

test.for([
  ['completed', '完了'],
  ['not ended', '未完了'],
  [
    "failed: NodeTimeout: node 'ask' ran longer than its time limit of 5 s",
    '失敗：NodeTimeout：ノード「ask」が制限時間の 5 秒を超えました',
  ],
  ['RateLimitError: the run was stopped', 'RateLimitError：実行が停止されました'],
  ['RateLimitError: later', 'RateLimitError：later'],
  ['', ''],
])('the end %j is told as %j', ([english = '', japanese]) => {
  expect(endInJapanese(english)).toBe(japanese);
});

/** What code of a row raised, and services say: each might be one of ours, by its form alone. */
test.for([
  'customer 42 has no data',
  'The parcel: it refused',
  'it has expired',
  'it takes too long',
  'order 17 is no flow',
  'There is no stock left.',
  'Nodes: a, b',
  'run away has no row boat',
  "'report.pdf' is no file",
  'order 3 is no JSON: it is XML',
  'the door cannot be read: it is shut',
])('somebody else’s words stay as they are: %s', (text) => {
  expect(anyTextInJapanese(text)).toBe(text);
});

test('a text that looks like sentences within sentences without end is told, or stays, and soon', () => {
  for (const part of [
    "node 'x' ",
    'connection "x": ',
    'told to the model: x failed: y: ',
    'a. ',
    'x of ',
    'x is no JSON: ',
  ]) {
    const text = part.repeat(Math.floor(19_000 / part.length));
    expect(typeof anyTextInJapanese(text)).toBe('string');
    expect(typeof (toldInJapanese(text) ?? text)).toBe('string');
    expect(typeof mistakeInJapanese(text)).toBe('string');
    expect(typeof commandFailureInJapanese(text)).toBe('string');
  }
});

test.for([
  ['there is no run r1', '実行 r1 が見つかりません'],
  ['there is no run r1. Stop it, or wait.', '実行 r1 が見つかりません。停止するか、終わるまでお待ちください。'],
  ['customer 42 has no data', 'customer 42 にデータの指定がありません'],
  ['words of somebody', 'words of somebody'],
] as const)('what Unroll alone says is known however short it is: %s', ([text, told]) => {
  expect(ownTextInJapanese(text)).toBe(told);
});
