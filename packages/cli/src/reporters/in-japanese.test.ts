import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorld, type TestWorld, withoutTimes } from '../testing/test-io.ts';

const flow = `inputs:
  question: {type: string}
outputs:
  answer: {type: string, reference: "\${ask.output}"}
nodes:
  - name: ask
    type: python
    source: {type: code, path: ask.ts}
    inputs: {question: "\${inputs.question}"}
`;

function japaneseWorld(text: string): TestWorld {
  const world = createTestWorld({ language: 'ja' });
  mkdirSync(join(world.folder, '質問'));
  writeFileSync(join(world.folder, '質問/flow.dag.yaml'), text);
  writeFileSync(
    join(world.folder, '質問/ask.ts'),
    'export default ({ question }: { question: string }) => { throw new Error(`the run was stopped: ${question}`); };\n',
  );
  return world;
}

test('what is wrong with a flow is told in Japanese; codes and places stay', async () => {
  using world = japaneseWorld(flow.replace('inputs.question', 'input.question').replace('source:', 'sauce:'));
  const { code, stdout } = await world.flow('check', '質問');
  expect(code).toBe(2);
  expect(stdout).toMatchInlineSnapshot(`
    "質問/flow.dag.yaml:2:3 warning FLOW_INPUT_UNUSED フローの入力「question」を使うものがありません
          question: {type: string}
          ~~~~~~~~
        help: \${inputs.question} として読むか、取り除いてください
    質問/flow.dag.yaml:6:11 error FLOW_MISSING_KEY ノード「ask」に source がありません
          - name: ask
                  ~~~
        help: 例：\`source: {type: code, path: tool.py}\`
    質問/flow.dag.yaml:8:5 warning FLOW_UNKNOWN_KEY ノード「ask」に不明なキー「sauce」
            sauce: {type: code, path: ask.ts}
            ~~~~~
        help: 「source」のことですか？
    質問/flow.dag.yaml:9:24 error FLOW_UNKNOWN_NODE ノード「input」がありません
            inputs: {question: "\${input.question}"}
                               ~~~~~~~~~~~~~~~~~~~
        help: フローの入力 \`\${inputs.question}\` のことですか？
    2 errors, 2 warnings
    "
  `);
});

test('to programs it is told in English', async () => {
  using world = japaneseWorld(flow.replace('source:', 'sauce:'));
  using english = createTestWorld({ folder: world.folder });
  for (const form of ['--json', '--sarif']) {
    expect((await world.flow('check', '質問', form)).stdout).toBe((await english.flow('check', '質問', form)).stdout);
  }
});

test('why a row failed is told in Japanese, and the words of the code as they are', async () => {
  using world = japaneseWorld(flow);
  const { code, stdout } = await world.flow('run', '質問', '-i', 'question=同意');
  expect(code).toBe(1);
  expect(withoutTimes(stdout).replaceAll(/\d{8}-\d{6}-/g, '')).toMatchInlineSnapshot(`
    "✗ ask   python # ms  Error: the run was stopped: 同意

    node ask failed: Error  (質問/flow.dag.yaml:6)
      the run was stopped: 同意
      at ask.ts:1 in default
      何かを直さない限り、もう一度実行しても成功しません。

    failed in # ms, 1 node ran
    record  .flow/runs/質問-0000.run
    next    flow show 質問-0000 --node ask
    "
  `);
});

test.for([
  { argv: ['show', 'nothere'], told: '.flow/runs に実行がありません\nflow run FLOW で実行してください。\n' },
  { argv: ['run', '質門'], told: 'ファイルやフォルダー 質門 が見つかりません\n「質問」のことでしょうか。\n' },
  {
    argv: ['run', '質問'],
    told: '入力 "question" がありません\n次のように指定してください。\n  --input "question=…" (string)\nまとめて指定するには --inputs FILE（JSON）を使います。\n',
  },
  {
    argv: ['rnu'],
    told: 'コマンド rnu はありません\n（run のことですか？）\n（コマンドの一覧は flow help で見られます）\n',
  },
  {
    argv: ['run', '質問', '--dta'],
    told: 'オプション --dta はありません\n（--data のことですか？）\n（使い方は flow help run で見られます）\n',
  },
  {
    argv: ['run', '質問', 'a'],
    told: 'run の引数が多すぎます（1 個までのところ 2: 質問, a）。\n（使い方は flow help run で見られます）\n',
  },
  {
    argv: ['run', '質問', '--data'],
    told: 'オプション --data <file> に値がありません\n（使い方は flow help run で見られます）\n',
  },
  { argv: ['gate'], told: '引数 eval がありません\n（使い方は flow help gate で見られます）\n' },
  {
    argv: ['graph', '質問', '--direction', 'up'],
    told: 'オプション --direction <way> に「up」は使えません。使えるのは down, right です。\n（使い方は flow help graph で見られます）\n',
  },
  { argv: ['run', '質問', '--data', 'rows.jsonl'], told: 'ファイルやフォルダー rows.jsonl が見つかりません\n' },
])('$argv tells in Japanese why it did nothing', async ({ argv, told }) => {
  using world = japaneseWorld(flow);
  const { code, stderr } = await world.flow(...argv);
  expect({ code, stderr: stderr.replace(`${world.folder}/`, '') }).toEqual({ code: 2, stderr: `error: ${told}` });
});
