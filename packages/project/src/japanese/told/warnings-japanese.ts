import { settingWaysJapanese } from './setting-ways-japanese.ts';

/** What is told of a node that came to its end all the same: a doubtful answer, a setting that was not sent. */
export const warningsJapanese: Readonly<Record<string, string>> = {
  'models were asked by the code of {} itself: such calls are not on {}, and a replay asks the service again':
    '{1} のコードが自分でモデルを呼び出しました。その呼び出しは {2} に残らず、再生のときにもサービスに尋ねます',
  'there is no input "{}": {}': '入力「{1}」はありません：{2*}',
  'it takes none': '入力はありません',
  'it takes {}': '入力は {1} です',
  // Answers.
  'the model answered without text': 'モデルの応答にテキストがありません',
  'the answer was cut off': '応答が途中で切れました',
  '{} (finish_reason: {})': '{1*}（finish_reason：{2}）',
  '{}: it refused': '{1*}：回答を断りました',
  '{}: it calls a tool, and none was offered': '{1*}：渡していないツールを呼び出しています',
  '{} at its limit of tokens (finish_reason: length)': '{1*}：トークン数の上限です（finish_reason：length）',
  "{} by the service's filter (finish_reason: content_filter)":
    '{1*}：サービスのフィルターによるものです（finish_reason：content_filter）',
  'the answer ended for a reason that is not known here, and may be cut off (finish_reason: {})':
    '応答が未知の理由で終わったため、途中で切れている可能性があります（finish_reason：{1}）',
  "an argument of {} is {}, beyond 2^53: its last digits may be others than the model's":
    '{1} の引数 {2} は 2^53 を超えるため、下の桁がモデルの値と異なる可能性があります',
  'the answer holds {} left out: only its text is taken':
    '応答のファイルは記録していません：{1}（テキストだけを使います）',
  'logprobs are left out: the answer held a secret': '応答に秘密が含まれていたため、logprobs を記録していません',
  'a stream was asked for, and the service answered whole: it may not be able to stream':
    'ストリームを求めましたが、サービスは応答をまとめて返しました：ストリームに対応していない可能性があります',
  'the service did not tell how many tokens it used: none are counted':
    'サービスがトークン数を返さなかったため、数えていません',
  'the service told {} as {}, which is no count of tokens: not counted':
    'サービスが返した {1} の値 {2} はトークン数ではないため、数えていません',
  '{} told no tokens, so budgets and costs lack them: a stream tells them where it is asked with stream_options={"include_usage": true}':
    'トークン数を返さなかったモデルの呼び出しがあり（{1}）、予算と費用に含まれていません：ストリームでは stream_options={"include_usage": true} を指定すると返ります',
  // Settings.
  '{} is not sent: {}': '{1} は送っていません：{2*}',
  'reasoning_effort is not sent: this version of the provider takes it in provider_options':
    'reasoning_effort は送っていません：このプロバイダーの版では provider_options に書きます',
  'say in the prompt what the model should not write': '書かせたくないことをプロンプトに書いてください',
  'say in the prompt how long the answer should be': '応答の長さをプロンプトに書いてください',
  'provider_options may hold it': 'provider_options に書けます',
  'provider_options may hold it, for Anthropic {anthropic: {disableParallelToolUse: true}}':
    'provider_options に書けます（Anthropic では {anthropic: {disableParallelToolUse: true}}）',
  'provider_options may hold it, for Anthropic {anthropic: {metadata: {userId: …}}}':
    'provider_options に書けます（Anthropic では {anthropic: {metadata: {userId: …}}}）',
  'provider_options may hold it, for Anthropic {anthropic: {cacheControl: {type: ephemeral}}}':
    'provider_options に書けます（Anthropic では {anthropic: {cacheControl: {type: ephemeral}}}）',
  '{} knows no {}: {}': '{1} に {2} はありません：{3*}',
  ...settingWaysJapanese,
  'the AI SDK knows no {}: {}': 'AI SDK に {1} はありません：{2*}',
  'one answer a call is given; let the node run several times, or use a connection of type open_ai':
    '1 回の呼び出しの応答は 1 つです。ノードを繰り返すか、種類が open_ai の接続を使ってください',
  'use a connection of type open_ai or azure_open_ai': '種類が open_ai か azure_open_ai の接続を使ってください',
  'one answer a call is given': '1 回の呼び出しの応答は 1 つです',
  'put the prompt before the answer in the template of a later node':
    '後のノードのテンプレートで、応答の前にプロンプトを置いてください',
  'write what follows into the prompt': '後に続く文をプロンプトに書いてください',
  'use a connection of type open_ai': '種類が open_ai の接続を使ってください',
  'write it as provider_options, where the provider has a search of its own':
    'プロバイダーに検索があれば、provider_options に書いてください',
  'use response_format with a JSON schema': 'response_format に JSON スキーマを指定してください',
  'the provider warns: {}': 'プロバイダーからの警告：{1}',
  'the provider does not take tool_choice': 'プロバイダーは tool_choice に対応していません',
  'the provider does not take {}': 'プロバイダーは {1} に対応していません',
  'the provider will no longer take {}': 'プロバイダーは {1} への対応をやめる予定です',
  'the provider adapts {}': 'プロバイダーは {1} を調整しました',
  // Agents and loops.
  'told to the model: {} failed: {}: {}': 'モデルに伝えました：{1} が失敗しました（{2}：{3*}）',
  'made in the same turn: {} gave {}': '同じ周で実行しました：{1} の結果は {2}',
  'fed back to the model: {}': 'モデルに伝えました：{1*}',
  'loop \'{}\' had ended, and "{}" of the state that follows is not true: it has not ended':
    'ループ「{1}」は終わっていましたが、次の状態の「{2}」が true ではないため、終わっていないものとして扱います',
  "loop '{}' goes round no more: {}": 'ループ「{1}」は続けません：{2}',
  "loop '{}' goes round no more: {} of {} tokens":
    'ループ「{1}」は続けません：上限 {3} トークンのうち {2} トークンを使いました',
  "loop '{}' goes round no more: {} of the row": '行の予算により、ループ「{1}」は続けません：{2}',
  "loop '{}' goes round no more: ${} of ${}": 'ループ「{1}」は続けません：上限 ${3} のうち ${2} を使いました',
  "loop '{}' goes round no more: {} of {} s": 'ループ「{1}」は続けません：上限 {3} 秒のうち {2} 秒を使いました',
  'the budget of the row is spent: {} of {} tokens': '行の予算を使い切りました：上限 {2} トークンのうち {1} トークン',
  'the budget of the row is spent: ${} of ${}': '行の予算を使い切りました：上限 ${2} のうち ${1}',
  'the budget of the row is spent: {} of {} s': '行の予算を使い切りました：上限 {2} 秒のうち {1} 秒',
  'the agent had {}: calls that still ran were stopped':
    'エージェントの制限時間（{1}）に達したため、残りの呼び出しを停止しました',
  'an agent has at most {} tools; these are left out: {}':
    'エージェントのツールは {1} 個までです。次のものは渡していません：{2}',
  'MCP server "{}" lists {} tools of the name "{}": the first is offered':
    'MCP サーバー「{1}」は「{3}」という名前のツールを {2} 個挙げています。最初のものを渡しました',
  'Could not parse LLM output: {}': 'モデルの応答を読み取れません：{1}',
  'Parsing LLM output produced both a final answer and a parse-able action:: {}':
    'モデルの応答に、最終回答とツールの呼び出しの両方があります：{1}',
  // Code.
  'the metric "{}" is ignored: only aggregation nodes log metrics':
    '指標「{1}」は記録していません：指標を記録できるのは集計ノード（aggregation）だけです',
};
