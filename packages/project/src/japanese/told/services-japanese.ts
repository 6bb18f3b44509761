/** What is said of models, indexes and other services; their own words stand in it as they came. */
export const servicesJapanese: Readonly<Record<string, string>> = {
  'OpenAI API hits exception: {}: {}': 'モデルの呼び出しに失敗しました（{1}）：{2*}',
  'the service answered with an error{}: {}': 'サービスがエラーを返しました{1}：{2}',
  '{} is no address of a proxy that can be used: expected {}://HOST:PORT ({})':
    '{1} はプロキシのアドレスとして使えません。{2}://ホスト:ポート の形で指定してください（{3}）',
  'the service answered nothing': 'サービスの応答が空です',
  'the answer cannot be used: {}': '応答を使えません：{1}',
  'the answer cannot be read': '応答を読めません',
  'a part of the stream is no JSON': 'ストリームの一部が JSON ではありません',
  'a part of the stream cannot be used: {}': 'ストリームの一部を使えません：{1}',
  'the stream ended {}: neither finish_reason nor [DONE] came':
    'ストリームが途中で終わりました（{1}）。finish_reason も [DONE] も届いていません',
  'the service answered vectors that are empty, of different lengths, all zero, or hold what is no number of 32 bits':
    'サービスが返したベクトルが空か、長さが揃っていないか、すべてゼロか、32 ビットの数値以外を含んでいます',
  'the service redirects{}, which is not followed (HTTP {})':
    'サービスが転送を返しました{1}。転送には従いません（HTTP {2}）',
  'it cannot be read': '読み取れません',
  'the answer of the index is nested too deep': 'インデックスの応答の入れ子が深すぎます',
  'the stream ended before the answer was complete': '回答が終わる前にストリームが切れました',
  'the text that was streamed is not that of the response at its end':
    'ストリームで届いた文が、最後の応答の文と違います',
  'the stream ended before the response was complete': '応答が終わる前にストリームが切れました',
  'an event of the stream cannot be used: {}': 'ストリームのイベントを使えません：{1}',
  'the service answered with a response that is {}': 'サービスの応答の状態が {1} です',
  'this provider makes no embeddings': 'このプロバイダーは埋め込みを作れません',
  "Amazon Bedrock's Converse API makes no embeddings": 'Amazon Bedrock の Converse API は埋め込みを作れません',
  'the model {} was asked for vectors of {} numbers and gave {}: leave dimensions out':
    'モデル {1} に {2} 次元のベクトルを求めましたが、{3} 次元で返りました。dimensions を指定しないでください',
  'the model {} was asked for {} vectors and gave {}':
    'モデル {1} にベクトルを {2} 個求めましたが、返されたのは {3} 個です',
  'the answer of connection "{}" is {}': '接続「{1}」の応答が上限に達しています：{2}',
  "Get connection '{}' for node '{}' error: {}": 'ノード「{2}」の接続「{1}」を用意できません：{3*}',
  'connection "{}": {}': '接続「{1}」：{2*}',
  'package: expected the name of a package, not "{}"': 'package にはパッケージの名前を指定します（指定：「{1}」）',
  "{} speaks version {} of the AI SDK's model interface; {} are known. Install another version of the package: npm install {}@latest":
    '{1} は AI SDK のモデルの規約の版 {2} を使っていますが、対応しているのは {3} です。別の版を入れてください（npm install {4}@latest）',
  '{} cannot be loaded: {}': '{1} を読み込めません：{2}',
  'export: which of {} makes the provider? It has {}':
    'export には、{1} のうちプロバイダーを作るものを指定します（あるもの：{2}）',
  'export: {} has no function "{}". {}': 'export：{1} に関数「{2}」がありません。{3}',
  'Connection type {} is not supported for LLM.': '種類が {1} の接続では、モデルを呼び出せません。',
  "The API '{}.{}' is not found.": 'API「{1}.{2}」がありません。',
  '{} needs {}, which {} not installed': '{1} には {2} が必要ですが、入っていません',
  'max_response_bytes of connection "{}" is "{}": expected a whole number of bytes above 0':
    '接続「{1}」の max_response_bytes が「{2}」です。0 より大きい整数（バイト数）を指定してください',
  '{} holds no such call: {}. --record adds it.':
    '{1} にこの呼び出しの録音がありません：{2}。--record で加えられます。',
  'no scripted reply is left for this request': 'このリクエストへの用意された返答が残っていません',
  'Function calling has not been supported by stream mode yet.': 'ストリームでは関数の呼び出しに対応していません。',
  'Failed to parse {} role prompt. Please make sure the prompt follows the format: {}{}':
    'プロンプトの {1} の部分を読み取れません。次の書式にしてください：{2}{3}',
  "The Chat API requires a specific format for prompt definition, and the prompt should include separate lines as role delimiters: {}. Current parsed role '{}' does not meet the requirement. If you intend to use the Completion API, please select the appropriate API type and deployment name. If you do intend to use the Chat API, please refer to the guideline at https://aka.ms/pfdoc/chat-prompt or view the samples in our gallery that contain 'Chat' in the name.":
    'チャット API のプロンプトでは、役割を区切りの行（{1}）に書きます。読み取った役割「{2}」は使えません。補完 API を使う場合は、API の種類とデプロイ名を選び直してください。チャット API を使う場合は https://aka.ms/pfdoc/chat-prompt の説明を参照してください。',
  "The input '{}' must be a list of messages, each with its role.":
    '入力「{1}」は、役割のあるメッセージのリストでなければなりません。',
  'Amazon Bedrock takes the bytes of a picture and not its address: give the file, or base64':
    'Amazon Bedrock には画像のアドレスではなく中身を渡す必要があります。ファイルか base64 で指定してください',
  'Amazon Bedrock takes pictures that are png, jpeg, gif or webp, not {}':
    'Amazon Bedrock が受け付ける画像は png、jpeg、gif、webp です。{1} は使えません',
  'a message of the role {} holds a picture: those of the user alone may hold one':
    'ロール {1} のメッセージに画像があります。画像を置けるのは user のメッセージだけです',
  'a part of a message is of type {}: texts and images are taken':
    'メッセージに {1} 型の要素があります。使えるのはテキストと画像です',
  'a part of a message is of type {}: a connection of type llama_cpp takes texts alone':
    'メッセージに {1} 型の要素があります。llama_cpp 型の接続で使えるのはテキストだけです',
  'this index holds no vectors: build it with --embedder, or search it by mode: keyword':
    'この索引にはベクトルがありません。--embedder を付けて作り直すか、mode: keyword で検索してください',
  'the index is searched by meaning, and no embedder was given':
    '意味による検索ですが、埋め込みモデルの指定がありません',
  'the index holds vectors of {} numbers, {} gave {}': '索引のベクトルは {1} 次元ですが、{2} が返したのは {3} 次元です',
  'the request to Azure AI Search was stopped': 'Azure AI Search への要求を停止しました',
  'Azure AI Search fuses by reciprocal ranks alone: fusion {method: rrf, weights: …}':
    'Azure AI Search の統合方法は RRF だけです（fusion {method: rrf, weights: …}）',
  'the connection "{}" of the lookup node "{}" is {}; expected cognitive_search (Azure AI Search)':
    'lookup ノード「{2}」の接続「{1}」の種類は {3} です。cognitive_search（Azure AI Search）が必要です',
  'index "{}" leads out of the flow\'s folder': '索引「{1}」がフローのフォルダーの外を指しています',
  'the function did not answer within {} s': '関数が {1} 秒以内に応答しませんでした',
  'nobody says in which region the function lies: write region, in the tool or its connection':
    '関数のリージョンがわかりません。ツールか接続に region を書いてください',
  'the function answered in another form than {"content":[{"type":"text","text":…}]}':
    '関数の応答が {"content":[{"type":"text","text":…}]} の形ではありません',
  'the function ended with an error: {}{}': '関数がエラーで終わりました：{1}{2}',
  '"reply" has the unknown key "{}": did you mean "content"?':
    '"reply" に未知のキー "{1}" があります。"content" のことですか',
  '"reply.content" must be a text': '"reply.content" は文字列でなければなりません',
  '"reply.tool_calls" must be a list of calls': '"reply.tool_calls" は呼び出しのリストでなければなりません',
  'the service answered with what is no text': 'サービスの応答がテキストではありません',
};
