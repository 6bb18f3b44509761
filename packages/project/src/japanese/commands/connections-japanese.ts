/** What is wrong with connections, search indexes, tool catalogues and models that flows ask. */
export const connectionsJapanese: Readonly<Record<string, string>> = {
  'no {} was given: nothing is kept': '{1} が入力されなかったため、何も保存していません',
  'connection "{}" needs {}, and there is no terminal to ask':
    '接続「{1}」には {2} が必要ですが、尋ねる端末がありません',
  'Give {} with --set {}, or read it from a file: --set {}=@key.txt':
    '--set {2} で指定するか、--set {3}=@key.txt のようにファイルから読んでください',
  'Name another with --from.': '別のものは --from で指定できます。',
  'nothing to change was given': '変更する内容がありません',
  'For instance: --set api_base=https://…': '例：--set api_base=https://…',
  'connection "{}" is not in a store: it comes from {}': '接続「{1}」は保存されたものではなく、{2} にあります',
  'Take it away there.': 'そちらから取り除いてください。',
  '--api needs --model: the API is asked for a model': '--api には --model が必要です',
  'for instance `my_openai`': '例：`my_openai`',
  '{} holds {} connections': '{1} には接続が {2} 個あります',
  'Name one with --name: {}': '--name で 1 つ指定してください：{1}',
  'a connection needs a type': '接続に型がありません',
  '--set type=…: {}': '--set type=…：{1}',
  'there is no connection type "{}"': '接続の型「{1}」はありません',
  'connection "{}" needs {}': '接続「{1}」には {2} が必要です',
  '--set {}=… gives it.': '--set {1}=… で指定できます。',
  'connection "{}": auth_mode is {}, not "{}"': '接続「{1}」：auth_mode に使えるのは {2} です（今は「{3}」）',
  'the fields of a connection must be an object, as in a connections file':
    '接続の項目は、接続のファイルと同じくオブジェクトでなければなりません',
  'there is no home folder to keep connections in': '接続を保存するホームフォルダーがありません',
  'Name a folder in FLOW_CONNECTIONS, or keep them in the project with --project.':
    '環境変数 FLOW_CONNECTIONS でフォルダーを指定するか、--project でプロジェクトに保存してください。',
  'In a flow {}: {}': 'フローでは {1}：{2*}',
  'Look at the address (api_base, endpoint) and api_version; some servers have no such list and work all the same.':
    'アドレス（api_base、endpoint）と api_version を確認してください。この一覧がなくても使えるサーバーもあります。',
  'Look at the address (api_base, endpoint): a proxy may ask for a sign-in.':
    'アドレス（api_base、endpoint）を確認してください。プロキシがサインインを求めている可能性があります。',
  'Enter the key again with flow connection update NAME --set api_key=…':
    'flow connection update NAME --set api_key=… でキーを入力し直してください',
  'another document has the id "{}" already; this one is left out':
    '同じ id「{1}」の文書がすでにあるため、この文書は除きました',
  'the model gave a vector of {} numbers; its first one has {}':
    'モデルのベクトルの次元は {1} ですが、最初のベクトルは {2} でした',
  'the model gave a vector of {} numbers; those in the index have {}':
    'モデルのベクトルの次元は {1} ですが、インデックスでは {2} です',
  'the vectors of the index were made by {}; {} makes others: build it again with --rebuild':
    'インデックスのベクトルは {1} で作られています。{2} では別のものになるため、--rebuild で作り直してください',
  'the name of an index ends in .index, for instance {}.index':
    'インデックスの名前の終わりは .index です（例：{1}.index）',
  '--overlap takes at most half of --chunk-tokens': '--overlap は --chunk-tokens の半分までです',
  '{} holds vectors of {}, not of {}': '{1} のベクトルは {2} によるもので、{3} のものではありません',
  'Leave --embedder out to keep them, or make the index again with --rebuild.':
    '--embedder を外すとそのまま使えます。作り直すには --rebuild を付けてください。',
  'two files would be called {}': '2 つのファイルの名前がどちらも {1} になります',
  'Documents are named after their file: give the folder above both.':
    '文書にはファイルの名前が付きます。両方を含むフォルダーを指定してください。',
  'there is no file that can be read': '読めるファイルがありません',
  'Known are .md .txt .html .jsonl .json .csv .tsv .pdf .docx .tools':
    '読めるのは .md .txt .html .jsonl .json .csv .tsv .pdf .docx .tools です',
  'which embedding model of the connection "{}"? Give --model':
    '接続「{1}」のどの埋め込みモデルですか。--model を指定してください',
  'For instance: --model text-embedding-3-small; at Azure the name of its deployment':
    '例：--model text-embedding-3-small。Azure ではデプロイの名前です',
  'there is no connection "{}"': '接続「{1}」がありません',
  'the connection "{}" is {}; expected cognitive_search':
    '接続「{1}」の型は {2} です。cognitive_search を指定してください',
  'flow connection create --name my_search --set type=cognitive_search api_base=https://<name>.search.windows.net':
    'flow connection create --name my_search --set type=cognitive_search api_base=https://<name>.search.windows.net',
  'flow index build … --out {} --rebuild makes it again': 'flow index build … --out {1} --rebuild で作り直せます',
  'flow index build <folder> --out name.index makes one': 'flow index build <folder> --out name.index で作れます',
  'there is no index {}': 'インデックス {1} がありません',
  '{} cannot be read: it is a folder': '{1} を読めません：フォルダーです',
  'expected a mapping of fields, such as {kind: faq}': '{kind: faq} のような項目のマッピングを書いてください',
  '{}: expected a list of filters': '{1}：フィルターのリストを書いてください',
  '{}: expected a value, a list of values, or a condition ({})':
    '{1}：値、値のリスト、または条件（{2}）を書いてください',
  '{}: exists is true or false': '{1}：exists は true か false です',
  '{}: there is no condition "{}" ({})': '{1}：条件「{2}」はありません（{3}）',
  '{}: there is no condition "{}" ({}); did you mean "{}"?':
    '{1}：条件「{2}」はありません（{3}）。「{4}」のことですか？',
  '{}: {} takes a number or a text': '{1}：{2} には数値か文字列を書いてください',
  '{}: expected texts, numbers, true or false': '{1}：文字列、数値、true、false のどれかを書いてください',
  '{}: texts of more than {} characters cannot be asked for': '{1}：{2} 文字を超える文字列では検索できません',
  'the model wrote no queries for "{}"{}': 'モデルが「{1}」の質問を書きませんでした{2}',
  'the connection "{}" ({}) is no chat model': '接続「{1}」（{2}）はチャットモデルではありません',
  'which model of the connection "{}"? Give --model': '接続「{1}」のどのモデルですか。--model を指定してください',
  'At Azure the name of its deployment': 'Azure ではデプロイの名前です',
  '{} has {} tools; at most {} can be trained on': '{1} のツールは {2} 個です。学習に使えるのは {3} 個までです',
  '{}: expected {"query": "…", "relevant": ["name of a tool", …]}':
    '{1}：{"query": "…", "relevant": ["ツールの名前", …]} の形で書いてください',
  '{}: no JSON': '{1}：JSON ではありません',
  '{}: the catalogue has no tool "{}"': '{1}：カタログにツール「{2}」はありません',
  'Failed to fetch image from URL: {}.{}': '画像を取得できません：{1}。{2}',
  'Failed to fetch image from URL: {}. Error code: {}. Error message: {}.': '画像を取得できません：{1}（{2}）：{3}',
  '{} does not start: {}': '{1} を起動できません：{2}',
  'no Python was found: looked for {}': 'Python が見つかりません（探したもの：{1}）',
  'Install Python 3.9 or newer, or name it in UNROLL_PYTHON.':
    'Python 3.9 以上をインストールするか、環境変数 UNROLL_PYTHON で指定してください。',
  'The flow lies in a folder that can be written.': 'フローを、書き込めるフォルダーに置いてください。',
  'Nothing is left of it; run it again.': '途中のものは残っていません。もう一度実行してください。',
  'Install its venv package: apt install python3-venv':
    'venv パッケージをインストールしてください：apt install python3-venv',
  'Is this machine online? Behind a mirror set PIP_INDEX_URL; with wheels in a folder set PIP_NO_INDEX=1 and PIP_FIND_LINKS.':
    'ネットワークにつながっていますか。ミラーを使うなら PIP_INDEX_URL を、フォルダーの wheel を使うなら PIP_NO_INDEX=1 と PIP_FIND_LINKS を設定してください。',
  'Correct its name or version in requirements.txt.': 'requirements.txt の名前かバージョンを直してください。',
  'What pip said stands above.': 'pip の出力は上にあります。',
};
