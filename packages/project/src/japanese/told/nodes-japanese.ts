/** Why a row or a node of it failed, as the engine and its node types say it. */
export const nodesJapanese: Readonly<Record<string, string>> = {
  'the run was stopped': '実行が停止されました',
  'The same run may succeed when tried again.': '同じ内容でもう一度実行すると成功することがあります。',
  'Trying again will not help before something is changed.': '何かを直さない限り、もう一度実行しても成功しません。',
  'name the encoding: open(path, encoding="utf-8"); where none is named it is that of the system':
    '文字コードを指定してください：open(path, encoding="utf-8")。指定しないとシステムのもの（日本語の Windows では CP932）になります',
  'what is read is not in UTF-8: name its encoding, as in open(path, encoding="cp932") for Shift_JIS':
    '読み込んだものは UTF-8 ではありません。文字コードを指定してください（Shift_JIS なら open(path, encoding="cp932")）',
  'it was given up before it was ready': '準備が終わる前に取りやめました',
  "node '{}' was stopped": 'ノード「{1}」は停止されました',
  "node '{}' ran longer than its time limit of {} s": 'ノード「{1}」が制限時間の {2} 秒を超えました',
  'Line {} execution timeout for exceeding {} seconds': '行 {1} が制限時間の {2} 秒を超えました',
  'Line {} execution terminated due to the total batch run exceeding the batch timeout ({}s).':
    '実行全体の制限時間（{2} 秒）を超えたため、行 {1} を打ち切りました。',
  'Line execution timeout after {} seconds.': '行が制限時間の {1} 秒を超えました。',
  'Tool execution is canceled because: {}': 'ノードの実行を取りやめました：{1*}',
  'the budget of the row is spent: {}': '行の予算を使い切りました：{1}',
  "the output of node '{}' is {}, which is the limit": 'ノード「{1}」の出力が上限に達しています：{2}',
  "The last state of loop '{}' is no object, so that nobody can tell whether it has finished.":
    'ループ「{1}」の最後の状態がオブジェクトではないため、終わったかどうか判断できません。',
  "Loop '{}' reached {} and '{}' of its state is still not true.":
    'ループ「{1}」が上限（{2}）に達しましたが、状態の「{3}」がまだ true になっていません。',
  "Loop '{}' cannot go on: {}.": 'ループ「{1}」は続けられません：{2}。',
  "node '{}' gave row {} an object that a record holds only as text, and the run was stopped since: a new run gives it to the nodes over all rows":
    'ノード「{1}」が行 {2} で返したオブジェクトは、記録には文字としてしか残りません。その後に実行が停止されたため、全行を扱うノードに渡すには新しい実行が必要です',
  "The input for node is incorrect. Node input '{}' is not found in input data for node '{}'. Please verify the inputs data for the node.":
    'ノード「{2}」の入力「{1}」が入力データにありません。ノードの入力を確認してください。',
  "The input for node is incorrect. Value for input '{}' of node '{}' is not type '{}'. Please review and rectify the input data.":
    'ノード「{2}」の入力「{1}」の値が型「{3}」に合いません。入力データを確認してください。',
  "Flow execution failed. The input '{}' is not found from ancestor node outputs [{}]. Please check the node name and try again.":
    '入力「{1}」が、前のノードの出力 [{2}] にありません。ノードの名前を確認してください。',
  "The input for flow is incorrect. The value for flow input '{}' is not provided in {}. Please review your input data or remove this input in your flow if it's no longer needed.":
    'フローの入力「{1}」の値がありません（{2*}）。入力データを確認するか、不要ならフローからこの入力を除いてください。',
  'input data': '入力データ',
  'line {} of input data': '入力データの行 {1}',
  ' in line {} of input data': '（入力データの行 {1}）',
  "The value for flow input '{}'{} is {}, which is the limit.":
    'フローの入力「{1}」の値が上限に達しています{2*}：{3}。',
  "Failed to parse the flow input. The value for flow input '{}'{} was interpreted as JSON string since its type is '{}'. However, the value '{}' is invalid for JSON parsing. Error details: (JSONDecodeError) {}. Please make sure your inputs are properly formatted.":
    'フローの入力「{1}」{2*}は型が「{3}」のため JSON として読みましたが、値「{4}」は JSON ではありません（{5}）。入力の書式を確認してください。',
  "The input for flow is incorrect. The value for flow input '{}'{} does not match the expected type '{}'. Please change flow input type or adjust the input value in your input data.":
    'フローの入力「{1}」{2*}の値が型「{3}」に合いません。入力の型か、入力データの値を直してください。',
  "Connection '{}' is not found.": '接続「{1}」が見つかりません。',
  "The output '{}' for flow is incorrect. The output value is not JSON serializable. JSON dump failed: ({}) {}. Please verify your flow output and make sure the value serializable.":
    'フローの出力「{1}」の値を JSON にできません（{2}：{3}）。JSON にできる値を返してください。',
  "Failed to load image for input '{}': ({}) {}": '入力「{1}」の画像を読み込めません（{2}）：{3*}',
  'Failed to fetch image from URL: {}.': '画像を取得できません：{1}',
  "'{}' is not in the folder of the flow": '「{1}」はフローのフォルダーの外にあります',
  "'{}' is no file": '「{1}」はファイルではありません',
  "'{}' is an image of more than 20 MB": '画像「{1}」が 20 MB を超えています',
  "'{}' is no image": '「{1}」は画像ではありません',
  'Node {} does not have source defined.': 'ノード「{1}」に source がありません。',
  'Tool type {} is not supported yet.': 'ツールの種類 {1} には対応していません。',
  "Flow execution failed. The input '{}' is not found from flow inputs '{}'. Please check the input name and try again.":
    '入力「{1}」がフローの入力「{2}」にありません。入力の名前を確認してください。',
  "Flow execution failed. Invalid property '{}' when accessing the node '{}'. Please check the property and try again.":
    'ノード「{2}」に「{1}」というプロパティはありません。プロパティを確認してください。',
  // Code.
  "Execution failure in '{}': ({}) {}": 'ノード「{1}」でエラーが起きました（{2}）：{3}',
  "node '{}' lost the thread it ran in: {}": 'ノード「{1}」を実行していたスレッドが失われました：{2*}',
  'it ended': '終了しました',
  'it ended with exit code {}': '終了コード {1} で終了しました',
  "Failed to load module from file '{}': ({}) {}": 'ファイル「{1}」のモジュールを読み込めません（{2}）：{3}',
  "node '{}' {}": 'ノード「{1}」：{2*}',
  "Node source path '{}' is invalid on node '{}'.": 'ノード「{2}」の source のパス「{1}」が正しくありません。',
  'Failed to render jinja template: {}: {}. Please modify your prompt to fix the issue.':
    'プロンプトのテンプレートを展開できません：{1}：{2}。プロンプトを直してください。',
  'the Python worker ended while this node ran ({})': 'このノードの実行中に Python のワーカーが終了しました（{1}）',
  'the Python worker ended while the node was loaded ({}){}':
    'ノードの読み込み中に Python のワーカーが終了しました（{1}）{2}',
  'the version of Python cannot be told: the Python worker ended':
    'Python のワーカーが終了したため、Python のバージョンがわかりません',
  "this flow has Python nodes and no Python was found: looked for {}, and .venv in the flow's folder; install Python 3.9 or newer, or name it in UNROLL_PYTHON":
    'このフローには Python のノードがありますが、Python が見つかりません（探したもの：{1} と、フローのフォルダーの .venv）。Python 3.9 以降を入れるか、UNROLL_PYTHON で指定してください',
  "node '{}' is given Python objects that JSON cannot carry and that are not all in one worker process; return plain data, or run with one worker":
    'ノード「{1}」に渡す Python のオブジェクトが JSON にできず、別々のワーカーにあります。単純なデータを返すか、ワーカー 1 つで実行してください',
  "Load tool failed for node '{}'. The source path is 'None'.":
    'ノード「{1}」のコードを読み込めません。source のパスがありません。',
  "Load tool failed for node '{}'. Tool file '{}' can not be found.":
    'ノード「{1}」のコードを読み込めません。ファイル「{2}」が見つかりません。',
  'Tool source type {} for python tool is not supported yet.':
    'Python のノードの source の種類 {1} には対応していません。',
  "Node '{}': '{}' is no code file; it must end in .py, .ts, .mts, .js or .mjs":
    'ノード「{1}」：「{2}」はコードのファイルではありません（末尾は .py、.ts、.mts、.js、.mjs のいずれか）',
  // Agents and tools.
  "node '{}' was given no state of an agent: {finished, query, function_results, scratchpad}":
    'ノード「{1}」にエージェントの状態（{finished, query, function_results, scratchpad}）が渡されていません',
  'the tool takes more than one argument': 'このツールの引数は 1 つではありません',
  'The arguments that the model gave to "{}" cannot be taken: {}': 'モデルが「{1}」に渡した引数を受け取れません：{2*}',
  'the arguments are no JSON object': '引数が JSON オブジェクトではありません',
  'the arguments are no JSON: {}': '引数が JSON ではありません：{1}',
  'the tool_lookup node has wrong keys': 'tool_lookup ノードのキーに誤りがあります',
  'the arguments must be one JSON object': '引数は 1 つの JSON オブジェクトでなければなりません',
  'the arguments hold a number that JSON cannot write': '引数に JSON で書けない数値があります',
  'the arguments of tool "{}" are described by no JSON Schema that can be read: {}':
    'ツール「{1}」の引数の JSON Schema を読めません：{2}',
  'the call of {} was stopped': '{1} の呼び出しを停止しました',
  '{} did not answer within {} s': '{1} が {2} 秒以内に応答しませんでした',
  'the tool answered with what is no text': 'ツールの応答がテキストではありません',
  'the tool answered {} bytes; at most {} are taken': 'ツールの応答が {1} バイトあります（上限 {2} バイト）',
  'the answer of {} bytes is larger than {} bytes': '応答の {1} バイトが上限の {2} バイトを超えています',
  '{} is no user program: {}': '{1} は利用者のプログラムではありません：{2}',
  'MCP server "{}" has a tool "{}" that cannot be used: {}': 'MCP サーバー「{1}」のツール「{2}」は使えません：{3}',
  'MCP server "{}" has no tool "{}"; {}': 'MCP サーバー「{1}」にツール「{2}」がありません：{3}',
  'MCP server "{}" cannot be asked: {}': 'MCP サーバー「{1}」を呼び出せません：{2}',
  '"{}" of MCP server "{}" can be no name of a tool': 'MCP サーバー「{2}」の「{1}」は、ツールの名前に使えません',
  'there are two tools "{}": give those of an MCP server a prefix':
    'ツール「{1}」が 2 つあります。MCP サーバーのツールに接頭辞を付けてください',
  "{} leads out of the flow's folder": '{1} はフローのフォルダーの外を指しています',
  '"{}" cannot run offline: write where the program lies, `local`':
    '「{1}」はオフラインでは実行できません。プログラムの場所を `local` に書いてください',
  'tool "{}" is asked at {}, not where its OpenAPI document has its service: the key of connection "{}" is not sent there unless base_url says so':
    'ツール「{1}」の送信先 {2} は、OpenAPI 文書のサービスとは別の場所です。接続「{3}」のキーは、base_url で指定しない限り送信しません',
  'nobody says where the service of tool "{}" is: write base_url':
    'ツール「{1}」のサービスの場所がわかりません。base_url を書いてください',
  'nobody says what {} of {} is: the OpenAPI document has no such parameter':
    '{2} の {1} が何かわかりません。OpenAPI 文書にそのパラメーターがありません',
  'HTTP {}: the service redirects{}, which is not followed':
    'HTTP {1}：サービスが転送を返しました{2}。転送には従いません',
  "A path is seen from the folder in which flow was started: join(import.meta.dirname, 'name') is beside the code.":
    "パスは flow を起動したフォルダーからのものです。コードと同じ場所のファイルは join(import.meta.dirname, 'name') です。",
};
