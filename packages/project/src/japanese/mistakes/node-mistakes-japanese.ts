import { settingWaysJapanese } from '../told/setting-ways-japanese.ts';

/** What is wrong with what a node type asks for: its model call, its index, its tools, its code, its connection. */
export const nodeMistakesJapanese: Readonly<Record<string, string>> = {
  'the template of a chat begins with text and not with a role':
    'チャットのテンプレートが役割ではなく文で始まっています',
  'put a line such as `system:` or `user:` above it; a prompt that is no chat has `api: completion`':
    'その上に `system:` や `user:` の行を書いてください。チャットでないプロンプトなら `api: completion` と書きます',
  '{} begins a message where its value is `system` or another role':
    '{1} の値が `system` などの役割だと、そこから別のメッセージが始まります',
  'put a text before it on its line: `- ` or a word': 'その行の前に `- ` や語を置いてください',
  'a {} message begins with `{}:` and `content:`, each on a line of its own':
    '{1} のメッセージは、`{2}:` と `content:` をそれぞれ 1 行に書いて始めます',
  '{}:, {}:, its value, content:, and the text, each on a line':
    '{1}:、{2}:、その値、content:、本文を、それぞれ 1 行に書いてください',
  'node "{}" asks an Azure workspace for the connections of its index{}; connections that are kept here are not asked':
    'ノード「{1}」はインデックスの接続を Azure ワークスペースに求めます{2}：ここに保存した接続は使われません',
  'run az login; or write `connection_type: environment` and `connection: {key: NAME}` in mlindex_content, with the key in the variable NAME; or use a node of type lookup over the documents (docs/package-tools.md)':
    'az login を実行するか、mlindex_content に `connection_type: environment` と `connection: {key: NAME}` と書いてキーを変数 NAME に入れるか、文書に対する lookup ノードを使ってください（docs/package-tools.md）',
  'there is no file "{}", which python_requirements_txt names':
    'python_requirements_txt の指すファイル「{1}」がありません',
  'flow python setup installs requirements.txt of the flow\'s folder, not "{}"':
    'flow python setup がインストールするのはフローのフォルダの requirements.txt で、「{1}」ではありません',
  'put `-r {}` into a requirements.txt': 'requirements.txt に `-r {1}` と書いてください',
  'node "{}" does not give "{}", which tool "{}" requires':
    'ノード「{1}」に、ツール「{3}」が必要とする「{2}」がありません',
  'the node names no deployment of connection "{}": it is asked for the tool\'s own model, text-embedding-ada-002':
    'ノードに接続「{1}」のデプロイ名がありません：ツールの既定のモデル text-embedding-ada-002 を求めます',
  'write it under `inputs:` as `{}`': '`inputs:` の下に `{1}` として書いてください',
  'tool "{}" takes no input "{}"': 'ツール「{1}」に入力「{2}」はありません',
  'it takes {}': '入力は {1} です',
  '{} does not export {}': '{1} は {2} をエクスポートしていません',
  '{} is exported twice': '{1} が 2 回エクスポートされています',
  'write `import fs from "node:fs"`, for instance: {}': '例：`import fs from "node:fs"`。{1}',
  'write `{}` in its place: {}': '代わりに `{1}` と書いてください。{2}',
  'its ending {} makes a module of it': '拡張子 {1} のファイルはモジュールです',
  'package.json says "type": "module"': 'package.json に "type": "module" とあるのでモジュールです',
  'what it imports or exports makes a module of it': 'import や export があるのでモジュールです',
  '{} has no default export': '{1} に default エクスポートがありません',
  '{} of {} is a type, which is gone when the file is loaded':
    '{2} の {1} は型なので、ファイルが読み込まれるときにはありません',
  'write `type` before it, or `import type`': 'その前に `type` を付けるか、`import type` と書いてください',
  '"{}" is JSON, which Node imports by its type only': '「{1}」は JSON で、Node は型の指定がなければインポートしません',
  'write `with { type: "json" }` behind it': 'その後ろに `with { type: "json" }` と書いてください',
  '{} has no function "{}"': '{1} に関数「{2}」がありません',
  'export it under this name': 'この名前でエクスポートしてください',
  'write `function:`, the name of one of its functions': '`function:` に、その中の関数の名前を書いてください',
  'nobody says where the service of "{}" is': '「{1}」のサービスの場所がどこにも書かれていません',
  'write base_url, or servers in the document': 'base_url を書くか、文書に servers を書いてください',
  'give those of an MCP server a prefix': 'MCP サーバーのツールに prefix を付けてください',
  'there is no connection "{}" for {}': '{2*}の接続「{1}」がありません',
  'define it in connections.yaml, or with flow connection create':
    'connections.yaml か flow connection create で定義してください',
  '{} cannot run offline': '{1*}はオフラインでは実行できません',
  'write where the program lies, `local`': 'プログラムの場所を `local` に書いてください',
  'MCP server "{}"': 'MCP サーバー「{1}」',
  '{} cannot be read: {}': '{1} を読めません：{2}',
  '{} is no list of replies': '{1} は応答のリストではありません',
  '{}: reply {} has an unknown key "{}"': '{1}：{2} 番目の応答に未知のキー "{3}" があります',
  '{}: reply {} has both reply and error': '{1}：{2} 番目の応答に reply と error の両方があります',
  '{}: reply {}: "{}" must be a text': '{1}：{2} 番目の応答の "{3}" は文字列でなければなりません',
  '{}: reply {}: "{}" must be a mapping': '{1}：{2} 番目の応答の "{3}" はマッピングでなければなりません',
  '{}: reply {}: "{}" must be true or false': '{1}：{2} 番目の応答の "{3}" は true か false でなければなりません',
  '{}: reply {}: "{}" must be a text or a message':
    '{1}：{2} 番目の応答の "{3}" は文字列かメッセージでなければなりません',
  '{}: reply {}: "{}" must be a list of calls': '{1}：{2} 番目の応答の "{3}" は呼び出しのリストでなければなりません',
  '{}: reply {}: "reply" has the unknown key "{}": did you mean "{}"?':
    '{1}：{2} 番目の応答の reply に未知のキー "{3}" があります。"{4}" のことですか',
  '{}: reply {} has no reply': '{1}：{2} 番目の応答に reply がありません',
  '{}: reply {} is no mapping': '{1}：{2} 番目の応答がマッピングではありません',
  'Expected a list of {when, reply} and {when, error: {code, message, retryable}}':
    '{when, reply} か {when, error: {code, message, retryable}} のリストを書いてください',
  'see docs/connections.md': 'docs/connections.md を見てください',
  'max_response_bytes of connection "{}" is "{}"': '接続「{1}」の max_response_bytes が「{2}」です',
  'expected a whole number of bytes above 0': '1 以上の整数（バイト数）を書いてください',
  'package of connection "{}" is no name of a package: "{}"':
    '接続「{1}」の package はパッケージ名ではありません：「{2}」',
  'for instance "@ai-sdk/openai-compatible"': '例："@ai-sdk/openai-compatible"',
  '{} is no index of flow index build': '{1} は flow index build で作った索引ではありません',
  '{} is no index of flow index build: {}': '{1} は flow index build で作った索引ではありません：{2}',
  '{} has format {}, this program reads format {}; build it again: flow index build':
    '{1} の形式は {2} ですが、このプログラムが読めるのは形式 {3} です。flow index build で作り直してください',
  "{} can't be deserialized to json: it begins with {}: flow serve stops there":
    '{1} の値は JSON ではありません（{2} で始まっています）。flow serve はそこで止まります',
  '{} holds {}, not a JSON object: flow serve stops there':
    '{1} の値は{2*}で、JSON オブジェクトではありません。flow serve はそこで止まります',
  'it gives what the class takes, as one JSON object: {}=\'{"mark": "!"}\'':
    'クラスの引数を 1 つの JSON オブジェクトで渡す変数です：{1}=\'{"mark": "!"}\'',
  'the class takes no argument "{}"': 'クラスに引数「{1}」はありません',
  '"{}" holds no vectors to search by': '「{1}」には検索に使うベクトルがありません',
  'write mode: keyword, or name an index made by flow index build with --embedder':
    'mode: keyword と書くか、flow index build に --embedder を付けて作った索引を指定してください',
  'connection "{}" is of type {}, which has no indexes': '接続「{1}」の型 {2} には索引がありません',
  'the input "{}" of node "{}" takes the name of a connection, not {}':
    'ノード「{2}」の入力「{1}」に必要なのは接続の名前です（今は {3}）',
  'Python code that calls this prompty cannot ask connection "{}" of type {}':
    'このプロンプティを呼び出す Python コードは、型 {2} の接続「{1}」に問い合わせられません',
  'it asks {}; as a node of its own, `type: prompty`, the prompty asks any':
    '問い合わせられるのは {1} です。独立したノード（`type: prompty`）としてなら、どの接続でも使えます',
  'Invalid endpoint connection type: {}': 'エンドポイントの接続の種類が正しくありません：{1}',
  'Required key `{}` not found in given custom connection. Required keys are: {}.':
    'カスタム接続に必要なキー `{1}` がありません。必要なキー：{2}',
  "Given model_family '{}' not recognized. Supported models are: {}.":
    'model_family「{1}」は使えません。使えるのは {2} です',
  'Required secret key `{}` not found in given custom connection. Required keys are: {}.':
    'カスタム接続に必要な秘密のキー `{1}` がありません。必要なキー：{2}',
  'write `endpoint_name: localConnection/<connection>`: a custom connection with endpoint_url, model_family and the secret endpoint_api_key':
    '`endpoint_name: localConnection/<接続名>` と書きます。endpoint_url、model_family と秘密の endpoint_api_key を持つカスタム接続です',
  'the template cannot be rendered: {}: {}': 'テンプレートを展開できません：{1}：{2}',
  'these {} are refused: {}': 'この {1} は送れません：{2}',
  'each is {type: function, function: {name: …, parameters: {type: object, properties: …}}}':
    '一つずつ {type: function, function: {name: …, parameters: {type: object, properties: …}}} の形で書いてください',
  'each is {name: …, parameters: {type: object, properties: …}}':
    '一つずつ {name: …, parameters: {type: object, properties: …}} の形で書いてください',
  'code is of type python, in TypeScript and JavaScript too':
    'コードの型は python です（TypeScript と JavaScript でも）',
  'a decorator ({}) is no syntax of Node {}: Node cannot read this file':
    'デコレーター（{1}）は Node {2} の構文ではないため、このファイルを読み込めません',
  'call its function on the class or the method instead, or compile the file first':
    'クラスやメソッドに対してその関数を直接呼ぶか、先にコンパイルしてください',
  '{} "{}" is none of {}': '{1}「{2}」は {3} のいずれでもありません',
  'write one of {}': '{1} のいずれかを書いてください',
  'name one of type cognitive_search (Azure AI Search)': '型 cognitive_search（Azure AI Search）の接続を書いてください',
  'the template reads "{}", which is a parameter of the model':
    'テンプレートが「{1}」を読んでいますが、これはモデルの引数です',
  'name another connection or model; retry: {times: …} says how often one is asked':
    '別の接続かモデルを書いてください。1 つの接続を何回呼ぶかは retry: {times: …} で決めます',
  'type: open_ai, for instance': '例：type: open_ai',
  'connection "{}" needs a "type"': '接続「{1}」には "type" が必要です',
  'connection "{}" has the unknown type "{}"': '接続「{1}」に不明な型「{2}」が指定されています',
  'the types are {}': '型は {1} です',
  'did you mean "{}"? else {}': '「{1}」のことですか？ そうでなければ、{2*}',
  'did you mean "{}"? the types are {}': '「{1}」のことですか？ 型は {2} です',
  '{} of connection "{}" is no address': '接続「{2}」の {1} はアドレスではありません',
  'it begins with https:// or http://': 'https:// か http:// で始まります',
  'connection "{}" has no {}': '接続「{1}」に {2} がありません',
  'flow connection update {} --set {}=…, or in connections.yaml {}: {}':
    'flow connection update {1} --set {2}=… で与えるか、connections.yaml に {3}: {4} と書いてください',
  'there is no file "{}", which is the model of connection "{}"': '接続「{2}」のモデルのファイル「{1}」がありません',
  'its path begins in the folder where flow is started': 'パスは flow を実行するフォルダーから始まります',
  'nodes that name "offline" ask the stand-in that is built in, never a connection of that name':
    'ノードに "offline" と書くと組み込みの代役に問い合わせます。この名前の接続には問い合わせません',
  'call it otherwise, and name that in the nodes': '別の名前を付け、ノードにはその名前を書いてください',
  'copy it again: is it written in full-width letters, or is a text for it still there?':
    'もう一度コピーしてください：全角文字になっていないか、説明の文字が残っていないか確かめてください',
  '"{}" holds a character that cannot be sent': '「{1}」に送信できない文字が含まれています',
  '"{}" names a variable in a form that is not read, and would be sent as it stands':
    '「{1}」の変数の書き方は読み取れないため、書かれたまま送信されてしまいます',
  'write ${env:{}}': '${env:{1}} と書いてください',
  'it stands below configs, or below secrets where it is one':
    'configs の下に、秘密の値なら secrets の下に書いてください',
  'a connection of type {} has no "{}"': '型 {1} の接続に「{2}」はありません',
  'it has none': '何もありません',
  'name one of your connections, or "offline", a stand-in that needs no key':
    '接続の名前か、キーの要らない代役 "offline" を書いてください',
  'an llm node names no connection': 'llm ノードに接続がありません',
  'an llm node has no api': 'llm ノードに api がありません',
  'for instance `api: chat`': '例：`api: chat`',
  'there are {}': 'あるのは {1} です',
  'there is no api "{}"': 'api に「{1}」はありません',
  'node "{}": the Responses API has no parameter "{}"': 'ノード「{1}」：Responses API に引数「{2}」はありません',
  'leave it out, or write api: chat': '除くか、api: chat と書いてください',
  'leave it out, or write api: chat; an agent needs format: tools or format: functions':
    '除くか、api: chat と書いてください。エージェントには format: tools か format: functions が必要です',
  'offer the tool {type: web_search} instead, or write api: chat':
    '代わりにツール {type: web_search} を示すか、api: chat と書いてください',
  'node "{}": the model {} takes no max_tokens': 'ノード「{1}」：モデル {2} では max_tokens を使えません',
  'write max_completion_tokens: it holds for what the model thinks and for what it answers':
    'max_completion_tokens と書いてください：モデルの思考と答えの両方に効きます',
  'node "{}": {} "{}" is none of {}': 'ノード「{1}」：{2}「{3}」は {4} のいずれでもありません',
  'it is sent as it is': 'そのまま送られます',
  'the model configuration of {} does not say where its model is':
    '{1} のモデル設定に、モデルがどこにあるかの指定がありません',
  'set {}, or write connection: NAME': '{1} を設定するか、connection: 名前 と書いてください',
  'set {}, or write connection: NAME; for one run, --connections {}.connection=NAME':
    '{1} を設定するか、connection: 名前 と書いてください。一回だけなら --connections {2}.connection=名前 です',
  'the variable OPENAI_API_KEY': '環境変数 OPENAI_API_KEY',
  'AZURE_OPENAI_ENDPOINT and AZURE_OPENAI_API_KEY': 'AZURE_OPENAI_ENDPOINT と AZURE_OPENAI_API_KEY',
  'the model configuration has no api_key': 'モデル設定に api_key がありません',
  'the model configuration has no azure_endpoint': 'モデル設定に azure_endpoint がありません',
  'write it there, as a variable of the environment: ${env:NAME}': 'そこに、環境変数として書いてください：${env:名前}',
  'write a name, without brackets and braces': '名前だけを、かっこなしで書いてください',
  'node "{}": {} is {}, and a service takes {}': 'ノード「{1}」：{2} は{3*}ですが、サービスで使えるのは{4*}です',
  'the schema has "{}", which is no keyword of JSON Schema':
    'スキーマの「{1}」は JSON Schema のキーワードではありません',
  'the schema of {} has "{}", which is no keyword of JSON Schema':
    '{1} のスキーマの「{2}」は JSON Schema のキーワードではありません',
  'the parameters of tool "{}" have "{}", which is no keyword of JSON Schema':
    'ツール「{1}」の parameters の「{2}」は JSON Schema のキーワードではありません',
  '"{}" is no parameter that is known, and it is sent as it is':
    '「{1}」という名前のパラメーターは知られていません。このまま送られます',
  '{} is {}, and a service takes {}': '{1} は{2*}ですが、サービスで使えるのは{3*}です',
  'node "{}": top_logprobs needs logprobs: true': 'ノード「{1}」：top_logprobs には logprobs: true が必要です',
  'add logprobs: true': 'logprobs: true を加えてください',
  'returns: expected "choice", or no such key': 'returns：値は "choice" です。不要ならキーを除いてください',
  'messages_from: expected the name of an input of this node': 'messages_from：このノードの入力の名前が必要です',
  'Invalid inputs {{}} in prompt template of node {}. These inputs are duplicated with the parameters of {}.':
    'ノード {2} のプロンプトの入力 {{1}} は使えません。{3} の引数と名前が重なっています。',
  "Invalid inputs {'template'} in prompt template of node {}. These inputs are duplicated with the reserved parameters of prompt tool.":
    "ノード {1} のプロンプトの入力 {'template'} は使えません。プロンプトツールの予約語と重なっています。",
  'flow index build <folder> --out {} makes one': 'flow index build <フォルダー> --out {1} で作れます',
  'the lookup node has wrong keys': 'lookup ノードのキーに誤りがあります',
  'the tool_lookup node has wrong keys': 'tool_lookup ノードのキーに誤りがあります',
  'the input "query" of a lookup node is a text': 'lookup ノードの入力 "query" は文字列です',
  'the input "filter" of the lookup node: {}': 'lookup ノードの入力 "filter"：{1}',
  'weights: expected {keyword: number, vector: number}, 0 or more and not both 0':
    'weights：値は {keyword: 数, vector: 数} でなければなりません（0 以上、両方 0 は不可）',
  'expected {}': '値は{1*}でなければなりません',
  'the path of an .index file, of a .jsonl, .json or .md file, or of a folder of these':
    '.index、.jsonl、.json、.md のファイルか、そのフォルダーのパス',
  'keyword, vector or hybrid': 'keyword、vector、hybrid のいずれか',
  'a whole number above 0': '1 以上の整数',
  'a list of field names': '項目名のリスト',
  '{connection: name, model: name}': '{connection: 名前, model: 名前}',
  'names by part: {id: …, title: …, text: …, vector: …}': '部分ごとの名前：{id: …, title: …, text: …, vector: …}',
  'the name of a semantic configuration': 'セマンティック構成の名前',
  'no {} file in {}': '{2} に {1} のファイルがありません',
  'no index at {}': '{1} に索引がありません',
  'no index at {}; did you mean "{}"?': '{1} に索引がありません。「{2}」のことですか？',
  'Jinja parsing failed at line {}: ({}) {}': 'テンプレートの行 {1} を読めません：({2}) {3}',
  "Node source path '{}' is invalid on node '{}'.": 'ノード「{2}」の source のパス「{1}」は使えません。',
  'TypeError: no loader for this environment specified': 'TypeError：ほかのテンプレートは読み込めません',
  'a template cannot load another one: write its text here, or give it as an input':
    'テンプレートからほかのテンプレートは読み込めません：中身をここに書くか、入力として渡してください',
  'Failed to render jinja template: {}: {}. Please modify your prompt to fix the issue.':
    'テンプレートを展開できません：{1}：{2}。プロンプトを直してください。',
  'UNROLL_PYTHON_WORKERS is {}, not a whole number of 1 or more':
    'UNROLL_PYTHON_WORKERS には 1 以上の整数を指定します（指定：{1}）',
  'UNROLL_PYTHON_MEMORY is {}, not a size of 32MB or more such as 512MB or 4GB':
    'UNROLL_PYTHON_MEMORY には 512MB や 4GB のような 32MB 以上の大きさを指定します（指定：{1}）',
  "{} cannot tell what the flow's code can import: {}":
    '{1} では、フローのコードが何を import できるか分かりません：{2}',
  'what is missing would show as the flow is run; check it again: packages that were imported once are read faster':
    '足りないものは実行時に分かります。もう一度チェックしてください（一度 import したパッケージは速く読み込めます）',
  'the source of node "{}" names no file': 'ノード「{1}」の source にファイルがありません',
  'for instance `source: {type: code, path: ask.jinja2}`': '例：`source: {type: code, path: ask.jinja2}`',
  'a python node cannot have a source of type "{}"': 'python ノードの source に type「{1}」は使えません',
  'write `type: code` with a path, or `type: package` with a tool':
    '`type: code` と path、または `type: package` と tool を書いてください',
  '"{}" is no code file': '「{1}」はコードのファイルではありません',
  'it must end in .py, .ts, .mts, .js or .mjs': '末尾は .py、.ts、.mts、.js、.mjs のどれかです',
  'a custom_llm node cannot have a source of type "{}"': 'custom_llm ノードの source に type「{1}」は使えません',
  'write `type: package_with_prompt`, with a tool and a path':
    '`type: package_with_prompt` と tool、path を書いてください',
  'the source of node "{}" names no tool': 'ノード「{1}」の source にツールがありません',
  'for instance `tool: my_package.tools.answer`': '例：`tool: my_package.tools.answer`',
  'the file has no tool': 'このファイルにツールがありません',
  'put `@tool` above the function that is the node: from promptflow.core import tool':
    'ノードにする関数の上に `@tool` を書いてください：from promptflow.core import tool',
  'the file has {} tools: {}': 'このファイルにツールが {1} 個あります：{2}',
  'leave `@tool` on one of them; another node has its tool in a file of its own':
    '`@tool` は一つだけに付けてください。別のノードのツールは別のファイルに書きます',
  'nothing in this file defines {}': 'このファイルに {1} の定義がありません',
  'from promptflow.core import tool': 'from promptflow.core import tool と書いてください',
  'import it, or define it above': 'import するか、前もって定義してください',
  'the file of a node is in no package, so that a relative import finds nothing':
    'ノードのファイルはパッケージに属さないので、相対 import では何も見つかりません',
  'leave out the dots: modules beside the file are found by their names':
    '先頭のドットを除いてください：同じフォルダーのモジュールは名前で見つかります',
  'the file raises an exception whenever it is loaded': 'このファイルは読み込むたびに例外を投げます',
  'raise it in the function that is the node, where a row records it as its failure':
    'ノードになる関数の中で投げてください。行の失敗として記録されます',
  'the file opens "{}" whenever it is loaded, and there is no such file':
    'このファイルは読み込むたびに「{1}」を開きますが、そのファイルがありません',
  'the file opens "{}" whenever it is loaded, and there is no such file yet: the package {}, which names it, may make it':
    'このファイルは読み込むたびに「{1}」を開きますが、そのファイルはまだありません。この名前はパッケージ {2} の中にあり、そこで作られる可能性があります',
  'the file asks for the environment variable {} whenever it is loaded, and it is not set':
    'このファイルは読み込むたびに環境変数 {1} を読みますが、設定されていません',
  'set {}; flow run --env {}=… sets it for one run': '{1} を設定してください。一回だけなら flow run --env {2}=… です',
  'the file throws an error whenever it is loaded': 'このファイルは読み込むたびにエラーを投げます',
  'throw it in the function that is the node, where a row records it as its failure':
    'ノードになる関数の中で投げてください。行の失敗として記録されます',
  '{} is declared twice': '{1} が二回宣言されています',
  '{} does not define {}': '{1} に {2} の定義がありません',
  'the file exports several functions: {}': 'このファイルは複数の関数を export しています：{1}',
  'export the one that is the node as default, or name it "run" or "{}"':
    'ノードにする関数を default で export するか、名前を "run" か "{1}" にしてください',
  'tool "{}" takes the name of a connection, not a reference': 'ツール「{1}」には参照ではなく接続の名前が必要です',
  'tool "{}" needs a connection': 'ツール「{1}」には接続が必要です',
  'write the name under `inputs:` as `connection`': '`inputs:` の `connection` に名前を書いてください',
  'the template reads "{}", which tool "{}" takes itself': 'テンプレートの「{1}」はツール「{2}」自身の入力です',
  'give the template another name for it': 'テンプレートでは別の名前にしてください',
  'tool "{}" fills no template': 'ツール「{1}」はテンプレートを使いません',
  'tool "{}" fills a template, which node "{}" does not give':
    'ツール「{1}」はテンプレートを使いますが、ノード「{2}」にはテンプレートがありません',
  'write `type: custom_llm` and `source: {type: package_with_prompt, tool: …, path: …}`':
    '`type: custom_llm` と `source: {type: package_with_prompt, tool: …, path: …}` を書いてください',
  'write `type: python` and `source: {type: package, tool: …}`':
    '`type: python` と `source: {type: package, tool: …}` を書いてください',
  '{}: Node cannot read this file': '{1}：Node でこのファイルを読めません',
  'write an object in its place: `const Kind = { A: "a", B: "b" } as const`':
    '代わりにオブジェクトを書いてください：`const Kind = { A: "a", B: "b" } as const`',
  'declare the property in the class, and set it in the constructor: `this.a = a`':
    'プロパティをクラスの中で宣言し、コンストラクターの中で設定してください：`this.a = a`',
  'put what it holds into a file of its own, and import that': '中身を別のファイルに分けて、それを import してください',
  'write `import … from "…"`': '`import … from "…"` と書いてください',
  'there is no file "{}" to import': 'import するファイル「{1}」がありません',
  'there is nothing to import as "{}", though its package is there':
    'パッケージはありますが、「{1}」の名前でインポートできるものがありません',
  'Node finds no export {} in "{}", which is CommonJS':
    'CommonJS の「{2}」に、Node から見えるエクスポート {1} がありません',
  'the package "{}" does not export {}': 'パッケージ「{1}」は {2} をエクスポートしていません',
  'if it is a type, write `type` before it, or `import type`':
    '型であれば、その前に `type` を付けるか、`import type` と書いてください',
  'import all of it: import all from "{}", then all.{}':
    '全体をインポートしてください：import all from "{1}" と書き、all.{2} を使います',
  'the module {} is not found': 'モジュール {1} が見つかりません',
  "npm install {} in the flow's folder, or in one above it":
    'フローのフォルダー、またはその上のフォルダーで npm install {1} を実行してください',
  'the function takes "{}" for one input, and is handed an object of all inputs':
    '関数は「{1}」を一つの入力として受け取っていますが、渡されるのは全入力のオブジェクトです',
  'write ({}{})': '({1*}{2*}) と書いてください',
  'the file exports {} as default, and no function': 'このファイルの default export は関数ではなく {1} です',
  'a class': 'クラス',
  'a list': 'リスト',
  'there is no {} in a module': 'モジュールに {1} はありません',
  'write import.meta.{}': 'import.meta.{1} と書いてください',
  'write "{}": Node takes the whole name of a file': '「{1}」と書いてください。Node にはファイル名全体が必要です',
  'write "{}": capital and small letters count': '「{1}」と書いてください。大文字と小文字は区別されます',
  'a short name of tsconfig.json, which Node does not read: write the path from this file':
    'tsconfig.json の別名は Node では使えません。このファイルからのパスを書いてください',
  'the function "{}" asks for "{}", which is none of its tool\'s parameters':
    '関数「{1}」は「{2}」を必要としますが、ツールの parameters にありません',
  'the function "{}" reads "{}", and its tool has no parameters: no model is told of any':
    '関数「{1}」は「{2}」を読みますが、ツールに parameters がないため、モデルには引数がないと伝わります',
  'describe it in `parameters` of the tool, as JSON Schema, or give it a default':
    'ツールの `parameters` に JSON Schema で書くか、既定値を付けてください',
  'add "{}" to the parameters of the tool, or give it a default':
    'ツールの parameters に「{1}」を加えるか、引数に既定値を付けてください',
  'the function "{}" takes no "{}", which its tool\'s parameters have':
    '関数「{1}」は、ツールの parameters にある「{2}」を受け取りません',
  'the file exports no function': 'このファイルは関数を export していません',
  'export the function that is the node: `export default function …`':
    'ノードにする関数を export してください：`export default function …`',
  "{}: the flow's Python cannot read this file": '{1}：フローの Python でこのファイルを読めません',
  'the package of tool {} cannot be imported: {}': 'ツール {1} のパッケージを import できません：{2}',
  'install what it needs, or another version of it, in the Python that runs the flow':
    'フローを動かす Python に、必要なものか別の版を入れてください',
  "no package of tools that the flow's Python has lists {}":
    'フローの Python にあるツールのパッケージに {1} がありません',
  "Input '{}' for node '{}' of value '{}' is not type {}.":
    'ノード「{2}」の入力「{1}」の値「{3}」は {4} 型ではありません。',
  "Get connection '{}' for node '{}' error: Connection {} not found in dict connection provider.":
    'ノード「{2}」の接続「{1}」がありません（探した名前：{3}）。',
  "Input '{}' for node '{}' of type '{}' is not supported, valid types {}.":
    'ノード「{2}」の入力「{1}」に {3} は使えません。使える型：{4}',
  "Unresolved input type '{}', please check if it is supported in current version.":
    'ツールの入力の型「{1}」がわかりません。この版で使えるか確認してください。',
  "Invalid input for '{}': Initialization input '{}' requires a literal value, but {} was received.":
    'ツール「{1}」の初期化の入力「{2}」にはリテラルが必要ですが、{3} が渡されています。',
  "Required inputs {} are not provided for tool '{}'.": 'ツール「{2}」に必要な入力 {1} がありません。',
  "module '{}' has no attribute '{}'": 'モジュール {1} に {2} がありません',
  'Invalid Custom LLM tool {}: function {} is missing a prompt template argument.':
    'ツール {1} は custom_llm に使えません。関数 {2} に PromptTemplate の引数がありません。',
  'Invalid inputs {} in prompt template of node {}. These inputs are duplicated with the inputs of custom llm tool.':
    'ノード {2} のテンプレートの {1} は、ツール自身の入力と重なっています。',
  "The tools '{}', '{}' are both linked to the deprecated tool ID '{}'. To ensure secure operation, please either remove or adjust one of these tools in your environment and fix this conflict.":
    'ツール「{1}」と「{2}」がどちらも古い ID「{3}」を引き継いでいます。どちらかを外すか変えてください。',
  'a tool of an older version of its package may be called otherwise now; docs/package-tools.md has those that come with flow':
    '古い版のツールは名前が変わっているかもしれません。flow に付属するものは docs/package-tools.md にあります',
  'imported here too': 'ここでも import しています',
  'its package is listed here': 'パッケージはここに書かれています',
  "the module {} is not found by the flow's Python": 'フローの Python でモジュール {1} が見つかりません',
  "the module {} is not found by the flow's Python; code of the flow changes where modules are looked for or installs some, so that it may be":
    'フローの Python でモジュール {1} が見つかりません。ただしフローのコードが探す場所を変えるか、インストールを行うため、見つかるかもしれません',
  "the module {} is not found by the flow's Python; code of the flow that is called imports it, and fails where a row comes to it":
    'フローの Python でモジュール {1} が見つかりません。呼び出されるコードが import するため、行の実行がそこで失敗します',
  'Prompt flow runs {} as it is: there is nothing to lay out':
    'Prompt flow は {1} をそのまま実行できます。書き出す必要はありません',
  'pf flow test --flow, with the same file or its folder':
    '同じファイルかフォルダーを pf flow test --flow に指定してください',
  'Node {} does not have source defined.': 'ノード {1} に source がありません。',
  "Load tool failed for node '{}'. The source path is 'None'.":
    'ノード「{1}」のコードを読み込めません。source のパスがありません。',
  "Load tool failed for node '{}'. Tool file '{}' can not be found.":
    'ノード「{1}」のコードを読み込めません。ファイル「{2}」がありません。',
  "Node '{}': '{}' is no code file; it must end in .py, .ts, .mts, .js or .mjs":
    'ノード「{1}」：「{2}」はコードのファイルではありません。拡張子は .py、.ts、.mts、.js、.mjs です',
  'Tool source type {} for python tool is not supported yet.': 'python ツールでは source の型 {1} を使えません。',
  'catalogue: expected the path of a .tools file, or of a file of tools':
    'catalogue：.tools ファイルか、ツールのファイルのパスが必要です',
  'the catalogue has no category "{}"': 'カタログに分類「{1}」がありません',
  '{} is no trained retriever; make one: flow tools train <catalogue> --out {}':
    '{1} は学習した検索器のファイルではありません。作るには：flow tools train <カタログ> --out {2}',
  '{} was trained on another catalogue; train it again: flow tools train':
    '{1} は別のカタログで学習したものです。flow tools train で学習し直してください',
  '{} is what flow tools train wrote, no catalogue: name the catalogue, and {} as its retriever':
    '{1} は flow tools train が書いた検索器で、カタログではありません。カタログを指定し、{2} は retriever に指定してください',
  '{} is no catalogue of tools; make one: flow tools build <file> --out <name>.tools':
    '{1} はツールのカタログではありません。作るには：flow tools build <ファイル> --out <名前>.tools',
  'on_refused: expected one of {}': 'on_refused：値は {1} のいずれかです',
  'the path of a .tools file, or of a file of tools': '.tools ファイルか、ツールのファイルのパス',
  'the name of a category, or a list of them': '分類の名前か、そのリスト',
  'a whole number from 1 to {}': '1 から {1} までの整数',
  'the path of a file that flow tools train wrote': 'flow tools train が書いたファイルのパス',
  'the input "query" of a tool_lookup node is a text, or a list of texts':
    'tool_lookup ノードの入力 "query" は文字列か、そのリストです',
  'the input "found" of a tool_lookup node is a list of names, or the hits of a lookup node':
    'tool_lookup ノードの入力 "found" は名前のリストか、lookup ノードの結果です',
  '"{}" can be no name of a tool': '「{1}」はツールの名前にできません',
  '1 to 128 of a-z, 0-9 and _, not starting with _': 'a-z、0-9、_ を 1～128 文字（先頭は _ 以外）',
  '1 to 64 letters, digits, _ and -': '英字・数字・_・- を 1～64 文字',
  'the parameters of tool "{}" must be the JSON Schema of an object':
    'ツール「{1}」の parameters はオブジェクトの JSON Schema でなければなりません',
  'write `type: object` and `properties`': '`type: object` と `properties` を書いてください',
  '"{}" is no type of JSON Schema (the parameters of tool "{}")':
    '「{1}」は JSON Schema の型ではありません（ツール「{2}」の parameters）',
  'the parameters of tool "{}" are no JSON Schema: {}': 'ツール「{1}」の parameters は JSON Schema ではありません：{2}',
  'tool {} must be a mapping': 'ツール {1} はマッピングでなければなりません',
  'tool "{}"': 'ツール「{1}」',
  '@{} is handed {} in place of the function, so that the file cannot be loaded':
    '@{1} に関数ではなく {2} が渡されているため、ファイルを読み込めません',
  'write `@{}` alone, or name what it is given: `@{}(name=…)`':
    '`@{1}` とだけ書くか、渡すものに名前を付けてください：`@{2}(name=…)`',
  '{} imports {} before it defines {}, so that {} is not there yet':
    '{1} は {3} を定義する前に {2} をインポートするので、{4} はまだありません',
  'import it in the function that uses it, or move it to a file of its own that both import':
    '使う関数の中でインポートするか、両方がインポートする別のファイルに移してください',
  'the assistant': 'アシスタント',
  'tool {} of the assistant': 'アシスタントのツール {1} ',
  'the input "{}" of node "{}" takes the path of a YAML file, not {}':
    'ノード「{2}」の入力「{1}」に必要なのは YAML ファイルのパスです（今は{3*}）',
  '"{}" is no YAML file': '「{1}」は YAML ファイルではありません',
  'its name must end in .yaml, .yml or .json': 'ファイル名の末尾は .yaml、.yml、.json のいずれかにしてください',
  'nothing stands behind {}': '{1*}の実体がありません',
  'give it one of the keys {}': 'キー {1} のいずれかを書いてください',
  'there are two tools "{}"': 'ツール「{1}」が 2 つあります',
  'an agent has at most {} user programs; these are left out: {}':
    'エージェントのユーザープログラムは {1} 個までです。次のものは除かれます：{2}',
  'a user program needs a name of 1 to 128 of a-z, 0-9 and _, not starting with _':
    'ユーザープログラムの名前は a-z、0-9、_ の 1～128 文字です（先頭は _ 以外）',
  'tool "{}" needs a description of 1 to 4096 characters': 'ツール「{1}」には 1～4096 文字の説明が必要です',
  'tool "{}" of {} is not in {}': '{2} のツール「{1}」が {3} にありません',
  'tool "{}" has more than one connector: {}': 'ツール「{1}」に接続先が二つ以上あります：{2}',
  'what stands below "{}" is left out: tools of "{}" alone are read':
    '「{1}」の内容は読み込みません：「{2}」のツールだけを読み込みます',
  'tool "{}" is connected twice': 'ツール「{1}」の接続先が二回書かれています',
  'it must stand in service.langchain.tools with its function':
    'service.langchain.tools に関数とともに書かれていなければなりません',
  'tool "{}" has no function_name or no region_name in {}':
    'ツール「{1}」の function_name か region_name が {2} にありません',
  'the role_arn of tool "{}" in {} is no ARN of a role, arn:aws:iam::123456789012:role/name':
    '{2} のツール「{1}」の role_arn がロールの ARN ではありません（例：arn:aws:iam::123456789012:role/name）',
  '{} is no OpenAPI document: it has no paths': '{1} は OpenAPI の文書ではありません：paths がありません',
  '{} {} has no operationId, which names the tool': '{1} {2} に、ツールの名前になる operationId がありません',
  'the arguments of {} {} come to more than {} values or {} levels':
    '{1} {2} の引数が {3} 個の値、または {4} 段の深さを超えています',
  '{} {} names {}, which is not in the document: a model is told nothing of it':
    '{1} {2} が参照する {3} は文書の中にありません。モデルには何も伝えられません',
  '{} {} has the operationId "{}" of another operation':
    '{1} {2} の operationId "{3}" は、別の操作の operationId と同じです',
  'give each operation its own: it names the tool':
    '操作ごとに別の operationId を付けてください。ツールの名前になります',
  '{} {} needs the cookie "{}", and no cookie is sent': '{1} {2} には Cookie "{3}" が必要ですが、Cookie は送られません',
  'write it into the document: no other file is read': '文書の中に書いてください。ほかのファイルは読み込まれません',
  'the path {} is {}, which is not in the document: its operations are left out':
    'パス {1} は {2} ですが、文書の中にありません。このパスの操作は使われません',
  'OpenAPI has no style {}': 'OpenAPI に style {1} はありません',
  'Swagger has no collectionFormat {}': 'Swagger に collectionFormat {1} はありません',
  'a parameter of the OpenAPI document has no name: a model is told nothing of it':
    'OpenAPI の文書に名前のないパラメーターがあります。モデルには何も伝えられません',
  'the parameter "{}" is in {}, where OpenAPI has none: a model is told nothing of it':
    'パラメーター「{1}」の in が {2} ですが、OpenAPI にそのような場所はありません。モデルには何も伝えられません',
  'the security scheme "{}" is of no type of OpenAPI: a key would go into Authorization':
    'セキュリティ方式「{1}」の type は OpenAPI にありません。キーは Authorization に入ります',
  'the security scheme "{}" does not say where its key goes: it would go into Authorization':
    'セキュリティ方式「{1}」にキーを置く場所が書かれていません。キーは Authorization に入ります',
  'write `in` (header, query or cookie) and `name`': '`in`（header、query、cookie）と `name` を書いてください',
  'there is no security scheme "{}" in the OpenAPI document: a key would go into Authorization':
    'セキュリティ方式「{1}」は OpenAPI の文書にありません。キーは Authorization に入ります',
  '"{}" is no key of OpenAPI in this place: what stands there is passed over':
    '「{1}」はここに書ける OpenAPI のキーではありません。その内容は無視されます',
  'connection "{}" does not say where the service of {} is': '接続「{1}」に{2*}のサービスの場所が書かれていません',
  'write base_url in its configs or at the tool, or servers in the document':
    '接続の configs かツールに base_url を書くか、文書に servers を書いてください',
  'no parameter of {} {} says what {} is': '{1} {2} には、{3} の値を示すパラメーターがありません',
  'a model is told nothing of what is beyond them': '超えた部分はモデルに伝わりません',
  'MCP server "{}" needs either a command or a url': 'MCP サーバー「{1}」には command か url のどちらかが必要です',
  '{} has no tool "{}"': '{1} にツール「{2}」がありません',
  'flow tools info {} tells what it has': '中身は flow tools info {1} で見られます',
  '"{}" is no code file; it must end in .py, .ts or .js':
    '「{1}」はコードのファイルではありません。拡張子は .py、.ts、.js です',
  'the tools of node "{}" must be a list, or the path of a YAML file that holds one':
    'ノード「{1}」の tools はリストか、リストの入った YAML ファイルのパスでなければなりません',
  '{} holds no list of tools': '{1} にツールのリストがありません',
  'write `tools:` and below it one entry a tool': '`tools:` の下に、ツールを 1 つずつ書いてください',
  "the module {} is not found by the flow's Python{}": 'フローの Python でモジュール {1} が見つかりません{2*}',
  'tool "{}" is asked at {}, not where its OpenAPI document has its service: the key of connection "{}" is not sent there unless base_url says so':
    'ツール「{1}」の送信先 {2} は、OpenAPI 文書のサービスとは別の場所です。接続「{3}」のキーは、base_url で指定しない限り送信しません',
  'nobody says where the service of tool "{}" is: write base_url':
    'ツール「{1}」のサービスの場所が分かりません：base_url を書いてください',
  'the arguments of tool "{}" are described by no JSON Schema that can be read: {}':
    'ツール「{1}」の引数の JSON Schema を読めません：{2}',
  '{} is no user program: {}': '{1} はユーザープログラムではありません：{2*}',
  'there are two tools "{}": give those of an MCP server a prefix':
    'ツール「{1}」が 2 つあります：MCP サーバーのツールに prefix を付けてください',
  "{} leads out of the flow's folder": '{1} はフローのフォルダーの外を指しています',
  '"{}" cannot run offline: write where the program lies, `local`':
    '「{1}」はオフラインでは実行できません：プログラムの場所を `local` に書いてください',
  ...settingWaysJapanese,
  'connection "{}" ({}) has no place for {}': '接続「{1}」（{2}）では {3} を使えません',
  'write what follows into the prompt': '続きはプロンプトに書いてください',
  'use a connection of type open_ai': '型 open_ai の接続を使ってください',
  'write it as provider_options, where the provider has a search of its own':
    'プロバイダーに独自の検索があれば provider_options に書いてください',
  'use response_format with a JSON schema': 'response_format に JSON スキーマを書いてください',
  'say in the prompt what the model should not write': 'モデルに書かせたくないことはプロンプトに書いてください',
  'say in the prompt how long the answer should be': '答えの長さはプロンプトに書いてください',
  'provider_options may hold it': 'provider_options に書けるかもしれません',
  'provider_options may hold it, for Anthropic {}': 'provider_options に書けるかもしれません（Anthropic なら {1}）',
  '{} has no operation "{}"': '{1} に操作「{2}」がありません',
  'import it as {}, which is {} here: imports count from the folder of the flow':
    '{1} として import してください（ここにある {2} です）：import の名前はフローのフォルダーから数えます',
  '{} is installed, and its version there has no such module: install the version that the code is written for, or import what it has in place of it':
    '{1} はインストールされていますが、その版にこのモジュールはありません。コードが想定する版をインストールするか、代わりのものを import してください',
  '{} installs what requirements.txt lists': '{1} で requirements.txt の内容がインストールされます',
  'list its package (pip install {}) in a requirements.txt and run {}, or name a Python that has it: UNROLL_PYTHON=venv/bin/python':
    'パッケージ（pip install {1}）を requirements.txt に書いて {2} を実行するか、それのある Python を指定してください：UNROLL_PYTHON=venv/bin/python',
  'add its package (pip install {}) to requirements.txt and run {}, or name a Python that has it: UNROLL_PYTHON=venv/bin/python':
    'パッケージ（pip install {1}）を requirements.txt に加えて {2} を実行するか、それのある Python を指定してください：UNROLL_PYTHON=venv/bin/python',
  "this flow has Python nodes and no Python was found: looked for {}, and .venv in the flow's folder; install Python 3.9 or newer, or name it in UNROLL_PYTHON":
    'Python のノードがありますが、Python が見つかりません：{1} と、フローのフォルダーの .venv を探しました。Python 3.9 以降をインストールするか、UNROLL_PYTHON で指定してください',
};
