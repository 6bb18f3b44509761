// biome-ignore-all lint/suspicious/noTemplateCurlyInString: column mappings look like templates
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorld, type Said } from '../packages/cli/src/testing/test-io.ts';

/** A busy machine may take so long. */
const timeout = 600_000;

/** What a stranger types in the first hour, here one who reads Japanese, and what has to be seen of it. */
test('a first hour in Japanese: a flow, a mistake, data, a change, an evaluation, a gate, a chat', {
  timeout,
}, async () => {
  using world = createTestWorld({ language: 'ja' });
  const edit = (file: string, from: string, to: string): void => {
    const path = join(world.folder, file);
    const text = readFileSync(path, 'utf8');
    expect(text).toContain(from);
    writeFileSync(path, text.replace(from, to));
  };
  const says = async (code: number, argv: readonly string[], ...texts: readonly string[]): Promise<Said> => {
    const said = await world.flow(...argv);
    expect({ argv, code: said.code, stderr: said.stderr }).toMatchObject({ argv, code });
    for (const text of texts) expect(`${said.stdout}${said.stderr}`).toContain(text);
    return said;
  };

  await says(0, ['init', '窓口'], 'next    flow run 窓口');
  await says(0, ['run', '窓口'], '商品は届いてから30日以内であれば返品できます');

  edit('窓口/flow.dag.yaml', '${start.output}', '${strat.output}');
  await says(2, ['run', '窓口'], 'ノード「strat」がありません', '「start」のことですか？', '何も実行していません');
  edit('窓口/flow.dag.yaml', '${strat.output}', '${start.output}');
  await says(0, ['check', '窓口'], 'ready to run');

  edit('窓口/flow.dag.yaml', 'connection: offline', 'connection: 手元');
  await says(2, ['check', '窓口'], '接続「手元」がありません', 'connections.yaml');
  writeFileSync(join(world.folder, 'connections.yaml'), '手元: {type: open_ai, api_key: "${env:KAGI}"}\n');
  await says(2, ['check', '窓口'], 'ノード「agent」の接続「手元」は使えません', 'KAGI');
  edit('窓口/flow.dag.yaml', 'connection: 手元', 'connection: offline');

  writeFileSync(join(world.folder, '質問.csv'), '質問\n返品は何日以内ですか\n"保証について\n教えてください"\n');
  const data = ['run', '窓口', '--data', '質問.csv'];
  await says(0, data, 'フローの入力と同じ名前の列がないため', "--column-mapping query='${data.COLUMN}'");
  const mapped = [...data, '--column-mapping', 'query=${data.質問}'];
  await says(0, [...mapped, '--name', '前'], '2 rows completed', 'record  .flow/runs/前.run');
  edit('窓口/agent.jinja2', '見つけた内容を引用します', '見つけた内容を短く引用します');
  await says(0, [...mapped, '--since', '前', '--name', '後'], '2 rows completed');
  await says(0, ['diff', '前', '後'], 'agent (prompt agent.jinja2 changed)');
  await says(0, ['runs', 'tag', '後', '短く'], '#短く');

  await says(0, ['eval', '窓口', '--quiet'], '✓ Both gates pass.');
  edit('窓口/terms.md', '2年間の保証', '長い保証');
  await says(0, ['gate', '窓口', '--quiet'], '✓ says  outputs.answer  min 0.8');
  edit('窓口/notes.md', '30日以内', '一か月以内');
  await says(1, ['gate', '窓口', '--quiet'], '✗ says  outputs.answer  min 0.8');

  await says(0, ['init', '雑談', '--template', 'chat']);
  const talk = createTestWorld({ folder: world.folder, stdin: 'こんにちは\n／exit\n' });
  expect((await talk.flow('chat', '雑談')).stdout).toContain('こんにちは');
});
