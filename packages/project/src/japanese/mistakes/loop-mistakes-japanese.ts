/** What is wrong with loops and agents. */
export const loopMistakesJapanese: Readonly<Record<string, string>> = {
  'agent "{}" is the last node of loop "{}", which gives the next state':
    'エージェント「{1}」が、次の状態を返すループ「{2}」の最後のノードになっています',
  'let a python node after it make the state of `${{}.output}`, {status, answer, function_results}':
    '後に python ノードを置き、`${{1}.output}`（{status, answer, function_results}）から状態を作ってください',
  'a list of tools, or the path of a file': 'ツールのリスト、またはファイルのパス',
  'a whole number from 0 to {}': '0 から {1} までの整数',
  'a number of seconds above 0': '0 より大きい秒数',
  'a mapping with tokens, cost or seconds': 'tokens、cost、seconds のマッピング',
  'true, false or a text': 'true、false または文字列',
  'agent "{}" has no bound': 'エージェント「{1}」に上限がありません',
  'for instance `max_iterations: 15`': '例：`max_iterations: 15`',
  '"{}" of agent "{}" must be {}, not {}': 'エージェント「{2}」の「{1}」は{3*}でなければなりません（今は{4*}）',
  'agent "{}" cannot be an aggregation node': 'エージェント「{1}」は集計ノードにできません',
  'an agent belongs to one row': 'エージェントは 1 つの行に属します',
  'agent "{}" has no template': 'エージェント「{1}」にテンプレートがありません',
  'write `source: {type: code, path: agent.jinja2}`: what stands before the calls and their results':
    '`source: {type: code, path: agent.jinja2}` と書いてください：呼び出しとその結果より前に置かれる部分です',
  'agent "{}" gives its model "{}" itself': 'エージェント「{1}」は「{2}」を自分でモデルに渡します',
  'give the input another name': '入力を別の名前にしてください',
  'write them under `tools` of the node': 'ノードの `tools` の下に書いてください',
  'in a flow with loops nothing may be called "loop"': 'ループのあるフローでは "loop" という名前は使えません',
  '`${loop.state}` is the state of the loop a node stands in': '`${loop.state}` は、ノードが属するループの状態です',
  'node "{}" of {}': '{2*}のノード「{1}」',
  'iteration {} of node "{}" of {}': '{3*}のノード「{2}」の {1} 回目',
  'the finalize node of {}': '{1*}の finalize ノード',
  'the result of {}': '{1*}の結果',
  '"{}" is {}': '「{1}」は{2*}です',
  'the name "{}" of {} is taken': '{2*}の名前「{1}」はすでに使われています',
  'rename one of them; a loop makes a node <name>_<iteration> of each of its nodes and one named after itself':
    'どちらかの名前を変えてください。ループは各ノードから <名前>_<回> のノードと、ループ自身の名前のノードを作ります',
  'a literal': '値そのもの',
  'an input of the flow': 'フローの入力',
  'no output of a node': 'ノードの出力ではない値',
  'the first state of loop "{}" is {}': 'ループ「{1}」の最初の状態が{2*}です',
  'let a node give {"{}": false, …} and write `state: ${node.output}`':
    'ノードに {"{1}": false, …} を返させ、`state: ${node.output}` と書いてください',
  'node "{}" of loop "{}" has a condition on something else than a node before it':
    'ループ「{2}」のノード「{1}」の条件が、前のノード以外を見ています',
  'nodes of a loop run until the loop has ended, the last one always; a condition may ask a node of the same iteration':
    'ループのノードはループが終わるまで実行され、最後のノードは必ず実行されます。条件で見られるのは同じ回のノードです',
  'node "{}" of loop "{}" cannot be an aggregation node': 'ループ「{2}」のノード「{1}」は集計ノードにできません',
  'a loop belongs to one row; aggregate outside of it': 'ループは 1 つの行に属します。集計はループの外で行ってください',
  '{} is nothing that loop "{}" has': '{1} はループ「{2}」にありません',
  'there are `${loop.state}`, `${loop.state.property}` and `${loop.iteration}`':
    'あるのは `${loop.state}`、`${loop.state.property}`、`${loop.iteration}` です',
  '"{}", the last node of loop "{}", does not take the state':
    'ループ「{2}」の最後のノード「{1}」が状態を受け取っていません',
  'bind one of its inputs to `${loop.state}`: it hands the state on when the others are bypassed':
    '入力の 1 つを `${loop.state}` にしてください：ほかのノードが省かれたとき、状態を引き継ぎます',
  'what "{}" feeds back cannot be told: which of its inputs is the state, which the message':
    '「{1}」が何を返すか分かりません：どの入力が状態で、どれがメッセージか決まりません',
  'bind exactly one input to `${loop.state}` and exactly one to the output of another node of the loop':
    '入力のちょうど 1 つを `${loop.state}` に、ちょうど 1 つをループの別のノードの出力にしてください',
  'with "on_error: feed_back" no input of "{}" may be called "{}"':
    '"on_error: feed_back" では「{1}」の入力に「{2}」という名前は使えません',
  'the unrolled flow needs the names {}': '展開後のフローで {1} という名前が必要です',
  'loop "{}" has no node "finalize"': 'ループ「{1}」に "finalize" ノードがありません',
  'give the loop a node under `finalize`, or another `on_exhausted`':
    'ループの `finalize` の下にノードを書くか、`on_exhausted` を変えてください',
  'node "{}" would never run: loop "{}" has "on_exhausted: {}"':
    'ノード「{1}」は実行されません：ループ「{2}」が "on_exhausted: {3}" です',
  'write `on_exhausted: finalize`, or take the node out':
    '`on_exhausted: finalize` と書くか、ノードを取り除いてください',
  'node "{}" has no input "{}"': 'ノード「{1}」に入力「{2}」がありません',
  'node "{}" lacks the input "{}"': 'ノード「{1}」に入力「{2}」が足りません',
  '{} is the name of one of the other inputs': '{1} はほかの入力の名前の 1 つです',
  'must have "times" or "fallback"': '"times" か "fallback" が必要です',
  '{} must have "times" or "fallback"': '{1*}には "times" か "fallback" が必要です',
};
