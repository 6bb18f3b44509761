/** What is wrong with the nodes of a flow, and with what they read of each other. */
export const flowMistakesJapanese: Readonly<Record<string, string>> = {
  '"when" is always {}': '"when" は常に {1} です',
  'the input "{}"': '入力「{1}」',
  'the output of node "{}"': 'ノード「{1}」の出力',
  '{} is {} {}': '{1*}は {2} {3} です',
  'node "{}" never runs: {}, which never equals {}':
    'ノード「{1}」は実行されません：{2*}。{3} と等しくなることはありません',
  'write {} without quotes': '引用符なしで {1} と書いてください',
  'node "{}" does not give "{}", which connection "{}" requires':
    'ノード「{1}」に「{2}」がありません。接続「{3}」では必要です',
  'add {} to the inputs of the node': 'ノードの入力に {1} を加えてください',
  'connection "{}" is of type {}, which the input "{}" of node "{}" does not take':
    '接続「{1}」の型は {2} で、ノード「{4}」の入力「{3}」では使えません',
  'it takes {}': '使えるのは {1} です',
  'the connection "{}" of node "{}" cannot be used': 'ノード「{2}」の接続「{1}」は使えません',
  'define it in connections.yaml, with flow connection create, or in environment variables':
    'connections.yaml か flow connection create、または環境変数で定義してください',
  'known are {}; define it in connections.yaml, with flow connection create, or in environment variables':
    'あるのは {1} です。connections.yaml か flow connection create、または環境変数で定義してください',
  'there is no connection "{}" for node "{}"': 'ノード「{2}」の接続「{1}」がありません',
  'it is there as soon as the environment variable {} is set, or flow connection create keeps it':
    '環境変数 {1} を設定するか、flow connection create で保存すれば使えます',
  'did you mean "{}"? it is there as soon as the environment variable {} is set, or flow connection create keeps it':
    '「{1}」のことですか？環境変数 {2} を設定するか、flow connection create で保存すれば使えます',
  'there is no connection "{}" for the environment variable {}': '環境変数 {2} の接続「{1}」がありません',
  'keep one with flow connection create, or write it in connections.yaml':
    'flow connection create で保存するか、connections.yaml に書いてください',
  'nodes wait for each other in a circle: {}': 'ノードが互いに待ち合っています：{1}',
  'each waits for the output of the next; cut one of the arrows, or repeat the nodes with `loops`':
    'どのノードも次のノードの出力を待っています。矢印を 1 本切るか、`loops` で繰り返してください',
  'retry.fallback means nothing in node "{}" of type {}: no other connection is asked':
    '型 {2} のノード「{1}」では retry.fallback に意味がありません：別の接続に尋ねることはありません',
  'llm nodes and agents ask other connections': '別の接続に尋ねるのは llm ノードとエージェントです',
  '"{}" leads out of the folder of the flow': '「{1}」はフローのフォルダーの外を指しています',
  '"{}" leads out of the flow\'s folder': '「{1}」はフローのフォルダーの外を指しています',
  'move the file into the folder, or list it under "additional_includes"':
    'ファイルをフォルダーに移すか、"additional_includes" に書いてください',
  'move the file into the folder, or list it under "additional_includes"; or write a file of the folder that hands it on: `export {} from "{}"`':
    'ファイルをフォルダーに移すか、"additional_includes" に書いてください。フォルダーの中に `export {1} from "{2}"` と書いたファイルを置いて渡すこともできます',
  'there is no file "{}" for node "{}"': 'ノード「{2}」のファイル「{1}」がありません',
  'a build of {} failed, was stopped, or is under way: a lookup finds only what is in it so far':
    '{1} の作成は失敗または中断したか、まだ途中です。検索で見つかるのは、今までに入った文書だけです',
  'flow index update {} goes on with it': '続きは flow index update {1} で作れます',
  '"{}" holds nothing that node "{}" can search': '「{1}」には、ノード「{2}」で検索できるものがありません',
  'a lookup searches .jsonl, .json and .md files; flow index build reads PDF, Word and others':
    'lookup は .jsonl、.json、.md を検索します。PDF や Word などは flow index build で読み込みます',
  'there is no file or folder "{}" for node "{}"': 'ノード「{2}」のファイルまたはフォルダー「{1}」がありません',
  'there is no file "{}"': 'ファイル「{1}」がありません',
  'node "{}" offers the function "{}", which no code that reads its answer defines':
    'ノード「{1}」がモデルに示す関数「{2}」は、答えを読むどのコードにも定義されていません',
  'the code defines no function': 'コードに関数が定義されていません',
  'defined are {}': '定義されているのは {1} です',
  '"{}" stands inside {}': '「{1}」が{2*}の中にあります',
  '"{}" stands inside {} and is given as it is written': '「{1}」は{2*}の中にあり、書かれたまま渡されます',
  'a list or mapping': 'リストまたはマッピング',
  'a longer text': '長い文字列',
  '"{}" has no "}" at its end': '「{1}」は最後の } がありません',
  '"{}" has no "}" at its end and is given as it is written': '「{1}」は最後の } がないため、書かれたまま渡されます',
  'a reference is written in full-width characters': '参照が全角文字で書かれています',
  'a reference is written in full-width characters and is given as it is written':
    '参照が全角文字で書かれており、書かれたまま渡されます',
  'a reference is the whole value of an input or output: for more, give it to a node and put the text together there':
    '参照は入力や出力の値の全体です。文字と組み合わせるには、ノードに渡してその中で組み立ててください',
  '"{}" stands before "{}", which it reads: images are read and written as with `message_format: basic`':
    '「{1}」が、読む相手の「{2}」より前にあります：画像は `message_format: basic` と同じように読み書きされます',
  'put "{}" behind "{}"; Prompt flow forgets the format of a flow whose nodes it has to sort':
    '「{1}」を「{2}」の後に置いてください。Prompt flow はノードを並べ替えると message_format を忘れます',
  'output "{}" does not say where its value comes from': '出力「{1}」の値がどこから来るか書かれていません',
  'for instance `reference: ${node.output}`': '例：`reference: ${node.output}`',
  'output "{}" refers to the aggregation node "{}" and is not given':
    '出力「{1}」は集計ノード「{2}」を参照しているため、値が出ません',
  'aggregation nodes run after all rows; log a metric there':
    '集計ノードは全行の後に実行されます。値はそこで指標として記録してください',
  'output "{}" gives the whole output of the node: "{}" is ignored':
    '出力「{1}」はノードの出力の全体です：「{2}」は無視されます',
  'a property stands after a second point: `${node.output.property}`':
    'プロパティは 2 つ目の点の後に書きます：`${node.output.property}`',
  'node "{}" gives a {}, which has no property "{}"': 'ノード「{1}」の出力（{2}）にはプロパティ「{3}」がありません',
  "Failed to load image for input '{}': ({}) {}": '入力「{1}」の画像を読み込めません（{2}）：{3}',
  'the sample cannot be read: {}': 'サンプルを読めません：{1*}',
  'the sample does not give "{}"': 'サンプルに「{1}」がありません',
  'the sample\'s "{}" does not fit its type {}': 'サンプルの「{1}」が型 {2} に合いません',
  'a run that gives no inputs of its own fails': '入力を与えずに実行すると失敗します',
  'the output of node "{}" has no property "{}"': 'ノード「{1}」の出力にはプロパティ「{2}」がありません',
  'it may have {}': 'あるとすれば {1} です',
  'its first item is `output.[0]`; or take it apart in a code node':
    '最初の項目は `output.[0]` です。コードのノードで取り出すこともできます',
  'read the whole output, or take it apart in a code node': '出力の全体を読むか、コードのノードで取り出してください',
  'the property `{}` is read as `{}`': 'プロパティ `{1}` は `{2}` として読まれます',
  'a point stands between a property and one within it, and nowhere else':
    '「.」は、プロパティとその中のプロパティとの間にだけ書けます',
  "a key that is no single word stands in single quotes: `['the key']`":
    "1 語でないキーは一重引用符で囲みます：`['キー']`",
  'the flow has no outputs: its result is always empty': 'フローに出力がありません：結果は常に空です',
  'add `outputs:` with a reference to a node': '`outputs:` にノードへの参照を書いてください',
  'nothing reads node "{}"': 'ノード「{1}」を読むものがありません',
  'read its output in another node or in `outputs:`, or remove it':
    '出力を別のノードか `outputs:` で読むか、ノードを取り除いてください',
  'node "{}" never runs: it reads only nodes that never run':
    'ノード「{1}」は実行されません：読む相手のノードがどれも実行されません',
  'the condition of node "{}" never holds': 'ノード「{1}」の条件が成り立つことはありません',
  'nothing uses the input "{}" of the flow': 'フローの入力「{1}」を使うものがありません',
  'read it as ${inputs.{}}, or remove it': '${inputs.{1}} として読むか、取り除いてください',
  'two nodes are called "{}"': '「{1}」という名前のノードが 2 つあります',
  'rename one of them': 'どちらかの名前を変えてください',
  'the first is here': '最初のものはここです',
  'the condition of the aggregation node "{}" looks at "{}", which runs once a row':
    '集計ノード「{1}」の条件が、行ごとに実行される「{2}」を見ています',
  'such a condition may only look at aggregation nodes': 'この条件で見られるのは集計ノードだけです',
  '"{}" runs once a row and cannot read the aggregation node "{}"':
    '「{1}」は行ごとに実行されるため、集計ノード「{2}」を読めません',
  'aggregation nodes run after all rows: set `aggregation: true` on the reader too':
    '集計ノードは全行の後に実行されます：読む側にも `aggregation: true` を付けてください',
  "Flow execution failed. The section '{}' of reference is currently unsupported. Please specify the output part of the node '{}'.":
    '参照の「{1}」という部分は使えません。ノード「{2}」の output を指定してください。',
  'node "{}" does not give "{}", which its code requires': 'ノード「{1}」に、コードが必要とする「{2}」がありません',
  'an empty text or null is not handed to the code: give "{}" a value, or give the parameter a default':
    '空の文字列と null はコードに渡りません：「{1}」に値を書くか、引数に既定値を付けてください',
  'add "{}" to the inputs of the node, or give the parameter a default':
    'ノードの入力に「{1}」を加えるか、引数に既定値を付けてください',
  'the parameter is here': '引数はここです',
  'it takes no inputs': '入力はありません',
  'the code of node "{}" takes no input "{}"': 'ノード「{1}」のコードに入力「{2}」はありません',
  'the node is here': 'ノードはここです',
  'the input "{}" is here, and the template does not use it': '入力「{1}」はここですが、テンプレートで使われていません',
  'no input gives the variable "{}"': 'どの入力も変数「{1}」を渡していません',
  'no input gives the variable "{}", without which it cannot be rendered':
    'どの入力も変数「{1}」を渡していません。この変数がないとテンプレートを展開できません',
  'add "{}" to the inputs': '入力に「{1}」を加えてください',
  'no input gives the variable "{}"{}': 'どの入力も変数「{1}」を渡していません{2*}',
  'no input of node "{}" gives the variable "{}"': 'ノード「{1}」のどの入力も変数「{2}」を渡していません',
  'no input of node "{}" gives the variable "{}", without which it cannot be rendered':
    'ノード「{1}」のどの入力も変数「{2}」を渡していません。これがないとテンプレートを展開できません',
  'add "{}" to the inputs of the node': 'ノードの入力に「{1}」を加えてください',
  'the template of node "{}" prints the image "{}" as a text, and no model sees it':
    'ノード「{1}」のテンプレートでは画像「{2}」が文字列になり、モデルには見えません',
  'a custom_llm node of the tool promptflow.tools.openai_gpt4v.OpenAI.chat shows images to its model':
    'ツール promptflow.tools.openai_gpt4v.OpenAI.chat の custom_llm ノードなら、モデルに画像を見せられます',
  'the template of node "{}" does not use the input "{}"': 'ノード「{1}」のテンプレートは入力「{2}」を使っていません',
  'the default of input "{}" does not fit its type {}': '入力「{1}」の既定値が型 {2} に合いません',
  'rows that do not give it fail: {}': '値のない行は失敗します：{1*}',
  '{} does not fit the input "{}" of node "{}", whose type is {}':
    '{1} はノード「{3}」の入力「{2}」の型 {4} に合いません',
  'write a whole number': '整数を書いてください',
  'write a number': '数を書いてください',
  'write true or false': 'true か false を書いてください',
  'write a list, or a string that holds a JSON array': 'リストか、JSON 配列の文字列を書いてください',
  'write a value of type {}': '型 {1} の値を書いてください',
  'node "{}" has no source': 'ノード「{1}」に source がありません',
  'for instance `source: {type: code, path: prompt.jinja2}`': '例：`source: {type: code, path: prompt.jinja2}`',
  'for instance `source: {type: code, path: tool.py}`': '例：`source: {type: code, path: tool.py}`',
  '"{}.{}" is to be overridden and there is no node "{}"':
    '「{1}.{2}」を置き換えようとしましたが、ノード「{3}」がありません',
  '"{}" of node "{}" cannot be overridden': 'ノード「{2}」の「{1}」は置き換えられません',
  'an llm node and a prompty take connection, deployment_name and model; a python node its inputs that name a connection':
    'llm ノードと prompty では connection、deployment_name、model を、python ノードでは接続を指す入力を置き換えられます',
  'there is no module {}': 'モジュール {1} がありません',
  'an entry is a function or a class of the module itself, not "{}"':
    'エントリーはモジュールそのものの関数かクラスです。「{1}」は指定できません',
  'write a function of the module that calls {}, and name that; of a class, __call__ is called':
    '{1} を呼ぶ関数をモジュールに書き、その関数を指定してください。クラスは __call__ が呼ばれます',
  'a module is named without .py: {}': 'モジュール名に .py は付けません：{1}',
  'a file {}.py in the folder of the flow': 'フローのフォルダーのファイル {1}.py',
  'it defines nothing': '何も定義されていません',
  'it has {}': 'あるのは {1} です',
  '{} has no function or class "{}"': '{1} に関数・クラス「{2}」がありません',
  'the class "{}" cannot be called: it has no __call__': 'クラス「{1}」には __call__ がないため呼び出せません',
  'node "{}" is of type flex, which is for code that is a flow by itself':
    'ノード「{1}」の type は flex ですが、これはそれ自体がフローであるコードのものです',
  'write `type: python` for code that is a node; an entry stands in a flow.flex.yaml':
    'ノードのコードには `type: python` と書きます。エントリーは flow.flex.yaml に書きます',
  'a row is given to def __call__(self, …) of the class': '行はクラスの def __call__(self, …) に渡されます',
  'it takes none': '引数はありません',
  'for instance entry: chat:answer': '例：entry: chat:answer',
  'did you mean "{}:{}"?': '「{1}:{2}」のことですか？',
  'entry must be module:function or module:Class{}': 'entry は module:function か module:Class の形です{1}',
  '"{}" waits for "{}" through {}': '「{1}」は{3*}を通じて「{2}」を待っています',
  'its condition': '条件',
  'its input "{}"': '入力「{1}」',
  'node "{}" reads the answer': 'ノード「{1}」が答えを読んでいます',
  '{} And {}': '{1*}{2*}',
  '{} and is given as it is written': '{1*}。書かれたまま渡されます',
  'the format that is forgotten, except for literals': '忘れられる message_format です（値そのものは除く）',
  'no input of node "{}" gives the variable "{}"{}': 'ノード「{1}」のどの入力も変数「{2}」を渡していません{3*}',
  '"{}" names no node': '「{1}」というノードはありません',
  'for instance `${node.output}`, `${inputs.name}`': '例：`${node.output}`、`${inputs.name}`',
  '"{}" means something only in the nodes of a loop': '「{1}」に意味があるのはループのノードの中だけです',
  'outside, `${<loop>.output}` is its result': '外では `${<ループ>.output}` がその結果です',
  'did you mean `{}`, an input of the flow?': 'フローの入力 `{1}` のことですか？',
  '"{}" is a node of loop "{}", and there is one of each iteration':
    '「{1}」はループ「{2}」のノードで、回ごとに 1 つあります',
  '`{}` is that of the last iteration, `{}` the result of the loop': '`{1}` は最後の回のもの、`{2}` はループの結果です',
  'a node has an output and no "{}"': 'ノードにあるのは output で、「{1}」はありません',
  'write it without spaces: `{}`': '空白なしで書いてください：`{1}`',
  'the input of that name is `${inputs.{}}`': 'その名前の入力は `${inputs.{1}}` です',
  'did you mean `{}`?': '`{1}` のことですか？',
  '`${inputs.{}}` is given as a whole: take it apart in the node':
    '`${inputs.{1}}` は全体が渡されます：取り出すのはノードの中で行ってください',
  'did you mean `${inputs.{}}`?': '`${inputs.{1}}` のことですか？',
  'declare it under `inputs`': '`inputs` の下に宣言してください',
  'a property needs a second point: `${{}.output.{}}`': 'プロパティには 2 つ目の点が必要です：`${{1}.output.{2}}`',
  'did you mean "output"?': '"output" のことですか？',
  'an evaluation is scored by `flow eval FILE`': '評価は `flow eval FILE` で採点します',
  'the inputs are {}': '入力は {1} です',
  'the nodes are {}': 'ノードは {1} です',
};
