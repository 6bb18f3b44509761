/** What is wrong with an eval.yaml. */
export const evalMistakesJapanese: Readonly<Record<string, string>> = {
  'the key "{}" is no column of the data and no input of the flow':
    'キー「{1}」はデータの列にも、フローの入力にもありません',
  'no row of the data has "{}"': 'データのどの行にも「{1}」がありません',
  'write ${data.column}, or a literal; to score a run that is there: run: in place of flow':
    '${data.列} か値を書いてください。すでにある実行を採点するには flow の代わりに run: と書きます',
  'a column mapping reads the data, and "{}" is none of it':
    'column_mapping はデータを読みますが、「{1}」はデータにありません',
  'its default is taken in every row': 'どの行でも既定値が使われます',
  'it has no default': '既定値はありません',
  'no row of the data has the input "{}" of the flow: {}': 'データのどの行にもフローの入力「{1}」がありません：{2*}',
  'the flow has no input "{}"': 'フローに入力「{1}」がありません',
  'an evaluation is a mapping of keys such as flow, data, metrics; this is {}':
    '評価は flow、data、metrics などのキーのマッピングです（今は{1*}）',
  '{} % is written {}': '{1} % は {2} と書きます',
  'write it without quotes: {}': '引用符なしで書いてください：{1}',
  'it can have {}': '書けるのは {1} です',
  'the evaluation': '評価',
  'name a node or a family, or leave "on" out for the row as a whole':
    'ノードかその系列の名前を書くか、行の全体なら "on" を除いてください',
  '{} is no matter of "{}"': '{1} は「{2}」については測れません',
  '{} counts the calls of a model, and "{}" is the result of a loop':
    '{1} はモデルの呼び出しを数えますが、「{2}」はループの結果です',
  'name the turns that ask a model: {}': 'モデルに尋ねる回を指定してください：{1}',
  'the flow has no loop': 'フローにループがありません',
  'name its turns: {}': '回を指定してください：{1}',
  '{} measures turns of a loop, and "{}" is none': '{1} はループの回を測りますが、「{2}」はループの回ではありません',
  'for instance outputs.answer; only latency, tokens and cost measure the row as a whole':
    '例：outputs.answer。行の全体を測れるのは latency、tokens、cost だけです',
  'metric "{}" lacks the key "on"': '指標「{1}」にキー "on" がありません',
  'there are none': '何もありません',
  '"{}" is laid out by a loop: write {}[*], or one of its turns':
    '「{1}」はループで展開されます：{2}[*] か、その回を書いてください',
  'the flow has no node': 'フローにノードがありません',
  'the flow has no {}': 'フローに {1} がありません',
  'scores are told apart by a column of the data, and "{}" is none':
    'スコアはデータの列で分けて示しますが、「{1}」は列ではありません',
  'a column is written ${row.name}, a field of it ${row.name.field}':
    '列は ${row.列}、列の中の項目は ${row.列.項目} と書きます',
  'no row of the data has {}': 'データのどの行にも {1} がありません',
  'metric "{}" says nothing of what is expected, and no row of the data has {}':
    '指標「{1}」に期待する値の指定がなく、データのどの行にも {2} がありません',
  'give it `expected`': '`expected` を書いてください',
  'metric "{}" must say its {}: the flow has no lookup node and no loop':
    '指標「{1}」には {2} の指定が必要です：フローに lookup ノードもループもありません',
  'for instance {}: ${retrieve}': '例：{1}: ${retrieve}',
  'give it min, max, no_worse_than: baseline, agreement or each_slice':
    'min、max、no_worse_than: baseline、agreement、each_slice のいずれかを書いてください',
  'the gate of {} asks nothing of a slice': '{1*}のゲートは、グループに何も求めていません',
  'give it min, max or no_worse_than: baseline': 'min、max、no_worse_than: baseline のいずれかを書いてください',
  'the gate of metric "{}" asks something of each slice, and there is none':
    '指標「{1}」のゲートはグループごとの条件を求めていますが、グループがありません',
  'name the columns that tell rows apart at the top of the file: slices: [lang]':
    '行を分ける列を、ファイルの先頭の階層に書いてください：slices: [lang]',
  'the gate of {} asks for nothing': '{1*}のゲートに条件がありません',
  '{} has no agreement with labels: people say of outputs that they pass or fail':
    '{1*}はラベルとの一致を測れません：人が合否を付けるのは出力です',
  'ask it of a metric of an output that passes or fails rows': '出力の合否を決める指標に書いてください',
  'the gate of {} cannot be met: min {} is above max {}':
    '{1*}のゲートは満たせません：min {2} が max {3} を超えています',
  'the gate of {} has a margin and nothing to be worse than':
    '{1*}のゲートに margin がありますが、比べる相手がありません',
  'add no_worse_than: baseline': 'no_worse_than: baseline を加えてください',
  'the scores of {} are {} to {}': '{1*}の得点は {2} から {3} です',
  'the scores of {} are {} and more': '{1*}の得点は {2} 以上です',
  'metric "{}"': '指標「{1}」',
  'two metrics are called "{}"': '「{1}」という指標が 2 つあります',
  'the first one': '最初のもの',
  'name a flow, to run it over the data, or a run that is there already':
    'データに対して実行するフローか、すでにある実行を書いてください',
  'the evaluation names neither a flow nor a run': '評価にフローも実行も書かれていません',
  'leave one of them out; --run RUN takes another run for once':
    'どちらか一方を除いてください。一度だけ別の実行を採点するには --run を使います',
  'the evaluation names both a flow and a run': '評価にフローと実行の両方が書かれています',
  'name a file with the rows: data: cases.jsonl': '行のファイルを書いてください：data: cases.jsonl',
  'there is no data to run the flow over': 'フローを実行するデータがありません',
  'after @ stands a number: {}@5': '@ の後は数です：{1}@5',
  '"{}" counts none: k is 1 or more': '「{1}」では何も数えません：k は 1 以上です',
  '{} takes no @{}': '{1} に @{2} は付けられません',
  'for instance {}@5': '例：{1}@5',
  'write {}': '{1} と書いてください',
  '"on" of {} cannot be read: "{}"': '{1*}の "on" を読めません：「{2}」',
  '{} takes no "expected" ({})': '{1*}に "expected" は使えません（{2}）',
  'remove it, or choose another evaluator': '除くか、別の評価器を選んでください',
  '"{}" of {} must be {}, not {}': '{2*}の「{1}」は{3*}でなければなりません（今は{4*}）',
  'a column of the data is written ${row.name}': 'データの列は ${row.名前} と書きます',
  'k is given twice in {}: @{} and "k"': '{1*}の k が 2 回書かれています：@{2} と "k"',
  '"{}" of {} is a mapping of one key: {{}: null}': '{2*}の「{1}」がキー 1 つのマッピングになっています：{{3}: null}',
  'a reference is written "${{}}", with the dollar and in quotes':
    '参照は "${{1}}" のように、$ を付けて引用符の中に書きます',
  '"{}" of {} is a text that is compared as it stands: "{}"': '{2*}の「{1}」は書かれた文字のまま比べられます：「{3}」',
  'a reference is the whole text, with the dollar and closed: "${{}}"':
    '参照は、$ を付けて閉じた文字列の全体です："${{1}}"',
  '"{}" of {} refers to what cannot be read: ${{}}': '{2*}の「{1}」の参照を読めません：${{3}}',
  '"{}" of {} is the same for every row: no reference can stand there':
    '{2}の「{1}」はすべての行で同じ値です。参照は書けません',
  'the function gets it by a parameter called row, inputs or outputs':
    '関数は row、inputs、outputs という名前の引数で受け取れます',
  'what differs from row to row stands in `expected`': '行ごとに違う値は `expected` に書きます',
  'what differs from row to row stands in `expected`, which contains and equals take':
    '行ごとに違う値は `expected` に書きます。`expected` は contains と equals で使えます',
  'a name with a blank stands in quotes: "{}"': '空白を含む名前は引用符で囲みます："{1}"',
  'a name with a blank stands in quotes: "${{}}"': '空白を含む名前は引用符で囲みます："${{1}}"',
  'for instance ${row.expected.ids}, ${outputs.answer}, ${agent_1.content}':
    '例：${row.expected.ids}、${outputs.answer}、${agent_1.content}',
  '{} lacks the key "on"': '{1*}にキー "on" がありません',
  'there is no connection "{}" for metric "{}"': '指標「{2}」の接続「{1}」がありません',
  'known are {}; flow connection create makes one': 'あるのは {1} です。flow connection create で作れます',
  'paths start at the folder of this file': 'パスはこのファイルのフォルダーから数えます',
  'the judge of metric "{}" has no input "{}"': '指標「{1}」の判定フローに入力「{2}」がありません',
  'the judge of metric "{}" needs {}': '指標「{1}」の判定フローには {2} が必要です',
  'give it under inputs, for instance inputs: {{}: ${outputs.answer}}':
    'inputs の下に書いてください（例：inputs: {{1}: ${outputs.answer}}）',
  'say which is the {}: {}: ${outputs.{}}; it has {}':
    'どれが {1} か書いてください：{2}: ${outputs.{3}}。あるのは {4} です',
  'the judge of metric "{}" has no output "{}"': '指標「{1}」の判定フローに出力「{2}」がありません',
  'the data has no rows': 'データに行がありません',
  'no row of the data can be read: {}': 'データのどの行も読めません：{1*}',
  'a row is an object, in jsonl one a line: {"question": "…", "expected": {…}}':
    '行はオブジェクトです。jsonl では 1 行に 1 つ：{"question": "…", "expected": {…}}',
  'run {} is one of flow {}, not of this flow; it is scored all the same':
    '実行 {1} はこのフローではなく {2} の実行ですが、そのまま採点します',
  'the environment variable {} is not set': '環境変数 {1} が設定されていません',
  'set {}, or write the value in place of {}': '{1} を設定するか、{2} の代わりに値を書いてください',
  "the class takes {}, and the flow's file gives no value":
    'クラスに {1} が必要ですが、フローのファイルに値がありません',
  'give one when it runs: {}, or a default under init': '実行時に渡すか（{1}）、init の下に既定値を書いてください',
  '{} has no parameter "{}" ({})': '{1} に引数「{2}」はありません（{3}）',
  '{} lacks "{}", which {} needs': '{1*}に {3} が必要とする「{2}」がありません',
  '"{}" of {} {}': '{2*}の「{1}」：{3*}',
  'lets everything pass': 'すべてを通します',
  'cannot be met': '満たせません',
  'unknown evaluator "{}"': '不明な評価器「{1}」',
  'there is no evaluator file {}': '評価器のファイル {1} がありません',
  'the evaluator {} lies outside the folder of this file': '評価器 {1} はこのファイルのフォルダーの外にあります',
  'move it into that folder, or import it from a file there':
    'そのフォルダーの中に移すか、中のファイルから import してください',
  'a file of yours that measures ends in .py, .ts, .js or .mjs':
    '自作の評価器のファイルの拡張子は .py、.ts、.js、.mjs です',
  'for instance outputs.answer, agent_1.function_call.name, hits[-1].id, function[*]':
    '例：outputs.answer、agent_1.function_call.name、hits[-1].id、function[*]',
};
