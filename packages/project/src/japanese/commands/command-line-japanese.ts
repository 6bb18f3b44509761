/** What is wrong with what was typed: arguments and options of commands. */
export const commandLineJapanese: Readonly<Record<string, string>> = {
  '(flow help lists the commands)': '（コマンドの一覧は flow help で見られます）',
  '({} shows what it takes)': '（使い方は {1} で見られます）',
  '{} is given more than once: the last one counts': '{1} が 2 回以上あります。最後のものを使います',
  '("{}" begins with a dash of another kind; did you mean {}?)':
    '（「{1}」の初めの線は別の文字です。{2} のことですか？）',
  '(as in pf; here: {})': '（pf の書き方です。ここでは：{1}）',
  'Nothing ran: fix what is listed, or see flow help check.':
    '何も実行していません。上の誤りを直してください（flow help check）。',
  'flow itself failed: {}': 'flow 自身の失敗です：{1}',
  'This is a mistake in flow, not in yours; FLOW_DEBUG=1 shows where.':
    'あなたの書いたものではなく、flow の誤りです。FLOW_DEBUG=1 を付けると場所がわかります。',
  'no temporary folder can be made in {}: {}': '{1} に一時フォルダーを作れません：{2*}',
  'TMPDIR names another place for them.': '別の場所は TMPDIR で指定できます。',
  '1 row of {} cannot be read and is left out: {}': '{1} の 1 行は読めないため除きました：{2}',
  '{} rows of {} cannot be read and are left out: {}': '{2} の {1} 行は読めないため除きました：{3}',
  'flow runs check {} tells all that is damaged.': '壊れたところの一覧は flow runs check {1} で見られます。',
  '--record and --replay exclude each other': '--record と --replay は一緒に使えません',
  '"{}" is neither NAME=value nor a file': '「{1}」は 名前=値 でもファイルでもありません',
  'For instance: --env LANG=ja. What takes several values comes after the flow, or before another option.':
    '例：--env LANG=ja。値を複数とるオプションは、フローの後か、別のオプションの前に書いてください。',
  'which flow? Give its folder': 'どのフローですか。フォルダーを指定してください',
  'For instance: flow build my-flow --output built': '例：flow build my-flow --output built',
  'where to? --output names a folder': '書き込み先がありません。--output でフォルダーを指定してください',
  'the connection needs a name': '接続の名前がありません',
  'Give one with --name, or in the file.': '--name で指定するか、ファイルに書いてください。',
  'Delete connection "{}" from {}?': '{2} から接続「{1}」を削除しますか？',
  'deleting connection "{}" needs a yes, and there is no terminal to ask':
    '接続「{1}」の削除には確認が必要ですが、尋ねる端末がありません',
  'Say it with --yes.': '--yes を付けると確認なしで削除します。',
  'which connection?': 'どの接続ですか。名前を指定してください',
  'flow connection list shows those there are.': '一覧は flow connection list で見られます。',
  'flow connection list shows those there are': '一覧は flow connection list で見られます',
  'what may stay? Give --older-than': '何を残しますか。--older-than を指定してください',
  'For instance: flow engine gc --older-than 30d': '例：flow engine gc --older-than 30d',
  '--by tells the scores of a run apart, and an oracle run compares two':
    '--by は 1 つの実行のスコアを分けるもので、2 つを比べるオラクル実行では使えません',
  'Leave one of them out.': 'どちらかを外してください。',
  '{} says what an oracle run is to do, and none is asked for':
    '{1} はオラクル実行のためのオプションですが、オラクル実行が指定されていません',
  'Give --oracle NODE or --oracle-sweep with it.': '--oracle NODE か --oracle-sweep と一緒に使ってください。',
  'Parquet is no text': 'Parquet は端末に書き出せません',
  'Name a file: --out rows.parquet': 'ファイルを指定してください：--out rows.parquet',
  'rows are written as {}, not as {}': '行を書き出せるのは {1} で、{2} では書き出せません',
  'Name a file of that kind, or the form with --format.':
    'その種類のファイルを指定するか、--format で形式を指定してください。',
  'what may stay? Give --older-than, --keep or --max-size':
    '何を残しますか。--older-than、--keep、--max-size のどれかを指定してください',
  'For instance: flow gc --older-than 30d --max-size 2GB': '例：flow gc --older-than 30d --max-size 2GB',
  'a graph is printed as JSON or as SVG': 'グラフを書き出せるのは JSON か SVG のどちらかです',
  'Leave --json or --svg out.': '--json か --svg を外してください。',
  'where to? Give --out': '書き込み先がありません。--out を指定してください',
  'For instance: flow index build docs --out docs.index': '例：flow index build docs --out docs.index',
  '--fusion: {}': '--fusion：{1*}',
  '--filter: {}': '--filter：{1*}',
  'which rows? Give them with --data FILE': 'どの行ですか。--data FILE で指定してください',
  'flow help plan shows how.': '使い方は flow help plan で見られます。',
  'flow prices knows update, not "{}"': 'flow prices で使えるのは update で、「{1}」は使えません',
  '--file is for flow prices update': '--file は flow prices update のオプションです',
  'flow prices update --file FILE': 'flow prices update --file FILE',
  'which list? flow prices update --file FILE': 'どの一覧ですか：flow prices update --file FILE',
  'there is no home folder to keep prices in': '単価を保存するホームフォルダーがありません',
  'name a template, or --batch FILE': 'テンプレートか --batch FILE を指定してください',
  '(flow help render)': '（flow help render）',
  '--output-dir is for outputs of the flow, and --node runs a node alone':
    '--output-dir はフローの出力のためのもので、ノードだけを実行する --node とは使えません',
  '--json prints what the node gave.': 'ノードの出力は --json で表示できます。',
  'flow runs knows list, rm, check, tag, untag, name and note, not "{}"':
    'flow runs で使えるのは list、rm、check、tag、untag、name、note で、「{1}」は使えません',
  'flow show {} shows one run.': '1 つの実行は flow show {1} で見られます。',
  'which runs? flow runs rm RUN …': 'どの実行ですか：flow runs rm RUN …',
  'which runs? flow runs check RUN …': 'どの実行ですか：flow runs check RUN …',
  'which tags? flow runs tag RUN TAG …': 'どのタグですか：flow runs tag RUN TAG …',
  'which tags? flow runs untag RUN TAG …': 'どのタグですか：flow runs untag RUN TAG …',
  'which run? flow runs {} RUN …': 'どの実行ですか：flow runs {1} RUN …',
  'which run is to be removed? Give its name': 'どの実行を削除しますか。名前を指定してください',
  'run {} has no finished row: it is still running, or was ended by force':
    '実行 {1} には終わった行がありません。まだ実行中か、強制終了されたものです',
  'no file to write is named': '書き込むファイルが指定されていません',
  'for instance: flow tools build api.yaml --out shop.tools': '例：flow tools build api.yaml --out shop.tools',
  'for instance --mcp "docs=npx -y my-docs-server" or --mcp shop=https://shop.example/mcp':
    '例：--mcp "docs=npx -y my-docs-server"、--mcp shop=https://shop.example/mcp',
  '--mcp takes <name>=<address or command>, not "{}"':
    '--mcp は <名前>=<アドレスかコマンド> の形で、「{1}」は使えません',
  'port {} cannot be used: {}': 'ポート {1} は使えません：{2}',
  'for instance: flow tools train {} --out shop.model': '例：flow tools train {1} --out shop.model',
  '--format {} is none': '--format に {1} はありません',
  'It can be: bedrock': '使えるのは bedrock です',
  'run {} has no steps of a Bedrock agent': '実行 {1} には Bedrock エージェントのステップがありません',
  'Traces are made of flows like flows/bedrock-agent; flow show prints the record of any flow.':
    'トレースは flows/bedrock-agent のようなフローのためのものです。どのフローの記録も flow show で見られます。',
  'there is no run to export': '書き出す実行がありません',
  'flow run makes one.': 'flow run で実行してください。',
  'an engine needs pg and pg-boss, which are not installed':
    'エンジンには pg と pg-boss が必要ですが、インストールされていません',
  'npm install pg@8 pg-boss@12.35.0': 'npm install pg@8 pg-boss@12.35.0',
  'which engine? --engine or FLOW_ENGINE names it':
    'どのエンジンですか。--engine か環境変数 FLOW_ENGINE で指定してください',
  'no engine is named': 'エンジンが指定されていません',
  'For instance: --engine postgres://ada@db.example/flows': '例：--engine postgres://ada@db.example/flows',
  '--engine says where a run is kept, and none is named: flow eval runs its flow here':
    '--engine は実行のある場所を示しますが、実行が指定されていません。flow eval はフローをこの機械で実行します',
  'flow run FLOW --data DATA --engine runs it on workers; flow eval EVAL --run latest --engine scores that.':
    'ワーカーで実行するには flow run FLOW --data DATA --engine、その採点には flow eval EVAL --run latest --engine を使ってください。',
  '--connections takes one file and any number of node.key=value, not "{}"':
    '--connections はファイル 1 つと、いくつかの ノード.キー=値 をとります。「{1}」は使えません',
  'For instance: --connections ask.connection=mine ask.deployment_name=gpt-4o':
    '例：--connections ask.connection=mine ask.deployment_name=gpt-4o',
  '--inputs takes a file, not "{}"': '--inputs にはファイルを指定してください（今は「{1}」）',
  'One value is given with --input {}=…': '値を 1 つ渡すには --input {1}=… を使ってください',
  '"{}" is not name=value': '「{1}」は 名前=値 の形ではありません',
  '"{}" is not name=value, and no file': '「{1}」は 名前=値 の形でも、ファイルでもありません',
  'For instance: --init "mark=2", or a JSON file of names and values':
    '例：--init "mark=2"。名前と値の JSON ファイルも使えます',
  'the folder in which flow was started is no longer there': 'flow を始めたフォルダーがもうありません',
  'cd to a folder that is, and try again.': 'cd で別のフォルダーに移ってから、もう一度試してください。',
  'standard input cannot be read: it is a folder': '標準入力を読めません：フォルダーです',
  'standard input cannot be read: {}': '標準入力を読めません：{1*}',
  '--model and --dimensions need --embedder, the connection to the model':
    '--model と --dimensions には --embedder（モデルへの接続）が必要です',
  'For instance: flow {} my-flow': '例：flow {1} my-flow',
  'the variable {}, which --api-key-env names, holds no key': '--api-key-env の変数 {1} にキーがありません',
  '--otlp takes the http address of a receiver, not "{}"':
    '--otlp には受け手の http アドレスを指定してください（今は「{1}」）',
  'For instance: --otlp http://localhost:4318': '例：--otlp http://localhost:4318',
};
