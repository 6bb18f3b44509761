/** What keeps a flow from running over data, from going on, or from being evaluated. */
export const flowsJapanese: Readonly<Record<string, string>> = {
  // A row of data that is none.
  'line {} of input data: {}': '入力データの行 {1}：{2*}',
  'the row has {} values, the first line names {} columns': '行の値は {1} 個ですが、1 行目の列は {2} 個です',
  'no JSON: {}': 'JSON ではありません：{1}',
  'the line has more than {} characters': '行が {1} 文字を超えています',
  'a row must be a JSON object, this is {}': '行は JSON のオブジェクトでなければなりません（今は {1}）',
  'no Parquet file that can be read: {}': 'Parquet のファイルとして読めません：{1}',
  "the first row has no column named like an input of the flow, so the flow's defaults are used (columns: {})\n{}to use a column: {}":
    '最初の行にフローの入力と同じ名前の列がないため、フローの既定値を使います（列：{1}）\n{2}列を使うには：{3}',
  '--rows {} takes no row of {}': '--rows {1} に当たる行が {2} にありません',
  'rows of {}: {}; rows that run {} ran over: {}; which of them belong together cannot be known':
    '{1} の行数は {2}、実行 {3} が処理した行数は {4} です。どの行とどの行が対になるか分かりません',
  'Give each row of the data a column line_number with the line of the run it belongs to, from 0.':
    'データの各行に列 line_number を加え、対になる実行の行番号を0から数えて入れてください。',
  'no row of {} belongs to a row that run {} completed': '{1} には、実行 {2} で完了した行と対になる行がありません',
  'Rows are paired by the column line_number, where the data has it, and by their place.':
    '行は、データに列 line_number があればその値で、なければ並び順で対にします。',
  'It has {}.': 'あるもの：{1}。',
  '--rows takes line numbers from 0, for instance 0-9,15, not "{}"':
    '--rows には 0 から数えた行番号を指定します（例：0-9,15。指定：「{1}」）',
  'a cassette is recorded by one process, and workers are many':
    'カセットは 1 つのプロセスで録るもので、ワーカーでは録れません',
  'Record in process, without --engine; a run on workers is answered from it by --replay.':
    '--engine なしで録ってください。ワーカーでの実行には --replay で使えます。',
  'the value of {} does not go to workers as it is: it may be a secret':
    '{1} の値は秘密の可能性があるため、そのままワーカーへ送れません',
  "{} Or name a connection: --env {}='${connection.key}', or set {} where the workers run.":
    "{1*} または、接続を指定するか（--env {2}='${connection.key}'）、ワーカーの側で {3} を設定してください。",
  'arguments of a class that is a flow (--init) do not go to workers as they are: one may be a secret':
    'クラスであるフローの引数（--init）は秘密の可能性があるため、そのままワーカーへ送れません',
  'FLOW_ENGINE_KEY, the same here and where the workers run, seals it (docs/engine.md#secrets).':
    'ここと、ワーカーの側の双方に同じ FLOW_ENGINE_KEY を設定すると、封をして送ります（docs/engine.md#secrets）。',
  'the input "{}" is a secret, and does not go to workers as it is':
    '入力「{1}」は秘密のため、そのままワーカーへ送れません',
  '{} Or take it from a connection, which each worker has for itself.':
    '{1*} または、ワーカーがそれぞれ持つ接続から取ってください。',
  'a setting of the run holds a secret, and does not go to workers as it is':
    '実行の設定に秘密が含まれるため、そのままワーカーへ送れません',
  'run {} tried a change that stands in no file': '実行 {1} は、ファイルに書かれていない変更を試したものです',
  'The playground of the studio tries it again.': 'スタジオの「試す」でもう一度試せます。',
  'outputs of run {} were given to it, which a record does not keep':
    '実行 {1} には出力が与えられましたが、記録には残りません',
  'flow eval EVAL --oracle NODE makes such a run again.': 'flow eval EVAL --oracle NODE で同じ実行をもう一度作れます。',
  'the rows of this run came from standard input': 'この実行の行は標準入力から来ました',
  'Give the same rows again: --data FILE, or --data - with the rows on standard input.':
    '同じ行をもう一度与えてください（--data FILE、または --data - と標準入力）。',
  'run {} was recorded by Prompt flow: it cannot be gone on with':
    '実行 {1} は Prompt flow が記録したもので、再開できません',
  'flow parity FLOW {} runs a flow on its rows again.': 'flow parity FLOW {1} で、同じ行に対してフローを実行できます。',
  'run {} was given settings with a secret in them, which a record does not keep':
    '実行 {1} の設定には秘密が含まれており、記録には残りません',
  'Run it again; a secret that nodes need belongs in a connection (docs/connections.md).':
    '新しく実行してください。ノードに必要な秘密は接続に置きます（docs/connections.md）。',
  'run {} was no run over data: there is nothing to go on with':
    '実行 {1} はデータに対する実行ではなく、再開できません',
  'run {} was given {}, which a record does not keep': '実行 {1} には {2} が与えられましたが、記録には残りません',
  'Give {} again: --env {}': '{1} をもう一度与えてください（--env {2}）。',
  'run {} was given init {}, which a record does not keep':
    '実行 {1} には init {2} が与えられましたが、記録には残りません',
  'Give {} again: --init {}': '{1} をもう一度与えてください（--init {2}）。',
  '{} changed since run {} began': '実行 {2} を始めた後に {1} が変更されています',
  'A new run keeps the two apart; --force goes on with this one all the same.':
    '新しい実行にすると両者を分けられます。それでも再開するには --force を使います。',
  'row {} was another one when run {} began: its "{}" differs':
    '実行 {2} を始めたとき、行 {1} は別の内容でした（「{3}」が異なります）',
  'A run goes on with the rows it began with, in their order; --force goes on all the same.':
    '再開には、始めたときと同じ行が同じ順に必要です。それでも再開するには --force を使います。',
  'did you mean {}?\nWhat there is:\n  {}': '{1} のことでしょうか。\nあるもの：\n  {2}',
  'The data has one column, "{}": save it with commas between its columns, or with tabs as .tsv.':
    'データの列が「{1}」の 1 列だけです。列をコンマで区切るか、タブで区切って .tsv として保存してください。',
  'What there is:\n  {}': 'あるもの：\n  {1}',
  'run {} has spent its budget: {}': '実行 {1} は予算を使い切りました：{2}',
  'A larger one goes on with it: --budget-tokens, --budget-cost or --budget-seconds.':
    '予算を増やすと再開できます（--budget-tokens、--budget-cost、--budget-seconds）。',
  'the record {} is lost: {}': '記録 {1} が失われました：{2*}',
  'What ran is recorded nowhere: run the rows again, and leave the folder of the records alone meanwhile.':
    '実行した内容はどこにも残っていません。行をもう一度実行し、その間は記録のフォルダーに触れないでください。',
  'the record {} cannot be written: {}': '記録 {1} に書き込めません：{2*}',
  'What was recorded is kept; once there is room the run goes on.':
    '記録済みの内容は残っています。空きができれば再開できます。',
  'several inputs are marked is_chat_input: {}': 'is_chat_input の付いた入力が複数あります：{1}',
  'Leave the mark on one of them.': '1 つだけに付けてください。',
  'no input is marked is_chat_input': 'is_chat_input の付いた入力がありません',
  'Write is_chat_input: true at the input that takes what the user says{}.':
    '利用者の発言を受け取る入力に is_chat_input: true と書いてください{1}。',
  'several outputs are marked is_chat_output': 'is_chat_output の付いた出力が複数あります',
  'the input "{}" is marked as what the user says and takes the turns so far':
    '入力「{1}」は、ユーザーの発言の印が付いていますが、これまでのやりとりも受け取ります',
  'Give the flow an input for each; one that is called chat_history takes no turns with is_chat_history: false.':
    '入力を 1 つずつ用意してください。名前が chat_history の入力は、is_chat_history: false を付けるとやりとりを受け取りません。',
  'Leave the mark on one.': '1 つだけに付けてください。',
  'the input "{}" is no list of turns': '入力「{1}」は、やり取りのリストではありません',
  'A turn is {"inputs": {…}, "outputs": {…}}.': 'やり取りは {"inputs": {…}, "outputs": {…}} の形です。',
  '{} is no chat flow: {}': '{1} は会話フローではありません：{2*}',
  'which flow? Give its folder or its flow.dag.yaml': 'フローを、フォルダーか flow.dag.yaml で指定してください',
  'flow help run shows how.': '書き方は flow help run で見られます。',
  'there is no file or folder {}': 'ファイルやフォルダー {1} が見つかりません',
  '{} is no flow': '{1} はフローではありません',
  'It holds rows for a flow: flow run FLOW --data {}': 'フローに渡す行のデータです：flow run フロー --data {1}',
  'It holds an evaluation: flow eval {}': '評価のフォルダーです：flow eval {1}',
  'A node of a flow names it; flow render {} shows what it becomes.':
    'フローのノードから使うテンプレートです。展開した結果は flow render {1} で見られます。',
  'flow init makes a new flow.': '新しいフローは flow init で作れます。',
  'a budget in dollars needs the price of every model, and that of node "{}" is unknown':
    '金額の予算にはすべてのモデルの単価が必要ですが、ノード「{1}」のモデルの単価が不明です',
  'Name its model (`model`, or a deployment called after it), give its price (flow prices update --file FILE), or a budget in tokens.':
    'モデルの名前（`model`、またはモデル名の付いたデプロイ）か単価（flow prices update --file FILE）を与えるか、トークンの予算にしてください。',
  'there is no connection "{}" to limit': '上限を設ける接続「{1}」が見つかりません',
  // Evaluations.
  '{} cannot score {}: {}': '{1} では {2} を採点できません：{3*}',
  'A run that is compared needs the nodes that metrics are of.': '比べる実行には、指標の対象となるノードが必要です。',
  'the flow has no node "{}" to give an output for': '出力を与えるノード「{1}」がフローにありません',
  'the evaluator {} cannot be loaded: {}': '評価関数 {1} を読み込めません：{2*}',
  'the evaluator {} was not loaded within {} s': '評価関数 {1} が {2} 秒以内に読み込まれませんでした',
  'What its file does when it is imported takes too long, or never ends.':
    '読み込むときの処理に時間がかかりすぎているか、終わりません。',
  "An evaluator's file has one function; the names of its helpers begin with _, or it is marked with @tool.":
    '評価のファイルには関数を 1 つ書きます。補助の関数は名前を _ で始めるか、評価する関数に @tool を付けてください。',
  'stopped while judges were asked': '判定フローの呼び出し中に停止しました',
  'What they said so far is recorded, and is taken when the run is scored again: flow eval … --run RUN.':
    'それまでの判定は記録されており、次に採点するときに使われます（flow eval … --run RUN）。',
};
