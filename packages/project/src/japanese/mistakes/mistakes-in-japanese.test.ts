import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mistakesInSources } from '../sentences-in-sources.fixture.ts';
import { toldSentences } from '../told/told-in-japanese.ts';
import { mistakeInJapanese, mistakeSentences, mistakesInJapanese } from './mistakes-in-japanese.ts';

const root = join(import.meta.dirname, '../../../../..');

const said = mistakesInSources(root, [
  'packages/engine/src/{flow,plan}/*.ts',
  'packages/evals/src/eval-file/*.ts',
  'packages/nodes/src/{connections,llm,lookup,prompt,python,tool-catalogue}/{check,inspect,missing,prompt-template,lookup-settings}*.ts',
  'packages/nodes/src/tool-catalogue/{catalogue-file,narrowed-catalogue,open-catalogue,retriever-file}.ts',
  'packages/nodes/src/tool/table/{check,openapi,read,written}*.ts',
  'packages/nodes/src/llm/provider-doubts.ts',
  'packages/project/src/evaluation/{check-choices,check-judges,eval-subject,open-eval}.ts',
]);

/** Its parts are told as two whole sentences. */
const ofParts = '{}{} {} {} and run {}, or name a Python that has it: UNROLL_PYTHON=venv/bin/python';

test('each mistake that flow check tells has its Japanese', () => {
  expect(said.size).toBeGreaterThan(150);
  expect(
    [...said.keys()].filter(
      (sentence) => !(sentence in mistakeSentences || sentence === ofParts || sentence in toldSentences),
    ),
  ).toEqual([]);
});

test('what is told in Japanese names no value that the sentence does not have', () => {
  const values = (english: string): number => english.split('{}').length - 1;
  const wrong = Object.entries(mistakeSentences).filter(([english, japanese]) => {
    const places = [...japanese.matchAll(/\{(\d)\*?\}/g)].map(([, place]) => Number(place));
    return new Set(places).size !== values(english) || places.some((place) => place > values(english));
  });
  expect(wrong).toEqual([]);
});

test.for([
  ['unknown key "promt" in node "ask"', 'ノード「ask」に不明なキー「promt」'],
  [
    'flow.dag.yaml:3: "nodes" of the flow must be a list, not a text',
    'flow.dag.yaml:3: フローの「nodes」はリストでなければなりません（今は文字列）',
  ],
  [
    '"retry.fallback.0" of node "ask" must be a text or a mapping, not a list',
    'ノード「ask」の「retry.fallback.0」は文字列またはマッピングでなければなりません（今はリスト）',
  ],
  [
    '"base_url" of tool "find" must be a URL with https:// or http://, not "x"',
    'ツール「find」の「base_url」はhttps:// か http:// で始まる URLでなければなりません（今は"x"）',
  ],
  [
    "TemplateSyntaxError: expected token 'end of print statement', got 'r'",
    "TemplateSyntaxError：'end of print statement' が来るはずのところに 'r' があります",
  ],
])('%j is told as %j', ([english = '', japanese]) => {
  expect(mistakeInJapanese(english)).toBe(japanese);
});

test.for([
  ['packages/engine/src/plan/told-mistakes.golden.txt', 190],
  ['packages/cli/src/commands/check-sources.golden.txt', 30],
  ['packages/cli/src/commands/check-beside-run.golden.txt', 20],
  ['packages/cli/src/commands/check-certain-failures.golden.txt', 20],
  ['packages/cli/src/commands/check-assistants.golden.txt', 20],
  ['packages/cli/src/commands/check-python-loading.golden.txt', 12],
  ['packages/nodes/src/tool/table/lambda-mistakes.golden.txt', 9],
] as const)('of the mistakes that the checks are held to by %s none stays in English', ([path, least]) => {
  const golden = readFileSync(join(root, path), 'utf8');
  const told = [...golden.matchAll(/(?:^\S+ (?:error|warning) [A-Z_]+|^ +help:|note:) (.*)$/gm)].map(
    ([, text = '']) => text,
  );
  expect(told.length).toBeGreaterThan(least);
  expect(told.filter((text) => mistakeInJapanese(text) === text)).toEqual([]);
});

test.for([
  [
    'it is there as soon as the environment variable OPENAI_API_KEY is set, or flow connection create keeps it',
    '環境変数 OPENAI_API_KEY を設定するか、flow connection create で保存すれば使えます',
  ],
  [
    'did you mean "xai_connection"? it is there as soon as the environment variable XAI_API_KEY is set, or flow connection create keeps it',
    '「xai_connection」のことですか？環境変数 XAI_API_KEY を設定するか、flow connection create で保存すれば使えます',
  ],
] as const)('%s', ([english, japanese]) => {
  expect(mistakeInJapanese(english)).toBe(japanese);
});

test('what flow check prints is told line by line', () => {
  const text = `flows/質問/flow.dag.yaml:5:9 error FLOW_UNKNOWN_KEY unknown key "promt"
            promt: hi
            ~~~~~
    help: did you mean "prompt"?
    flows/質問/flow.dag.yaml:9:3 note: first written here
flows/質問/flow.dag.yaml:7:3 warning FLOW_UNUSED_INPUT nothing uses the input "top" of the flow
1 error, 1 warning`;
  expect(mistakesInJapanese(text)).toMatchInlineSnapshot(`
    "flows/質問/flow.dag.yaml:5:9 エラー FLOW_UNKNOWN_KEY 不明なキー「promt」
                promt: hi
                ~~~~~
        ヒント：「prompt」のことですか？
        flows/質問/flow.dag.yaml:9:3 補足：最初はここに書かれています
    flows/質問/flow.dag.yaml:7:3 警告 FLOW_UNUSED_INPUT フローの入力「top」を使うものがありません
    エラー 1 件、警告 1 件"
  `);
});

/** Of parsers, whose words are given on. */
test.for([
  "Unexpected end of template. Jinja was looking for the following tags: 'endfor' or 'else'. The innermost block that needs to be closed is 'for'.",
  'mapping values are not allowed here or there',
])('what a parser says is not taken for parts of a mistake: %s', (text) => {
  expect(mistakeInJapanese(text)).toBe(text);
});
