/** What else can be done where a service has no place for a setting: told of a call that was made, and of a flow that is checked. */
export const settingWaysJapanese: Readonly<Record<string, string>> = {
  'one answer a call is given; let the node run several times':
    '1 回の呼び出しの応答は 1 つです。ノードを何度か実行してください',
  'use a connection of another type': '別の型の接続を使ってください',
  'say in the prompt that the answer is JSON, or offer a tool with its schema':
    '応答が JSON であることをプロンプトに書くか、スキーマを持つツールを渡してください',
  'say in the prompt what the answer may be, or offer a tool with its schema':
    '応答の候補をプロンプトに書くか、スキーマを持つツールを渡してください',
  'answers differ from call to call': '応答は呼び出しごとに変わります',
  'say in the prompt what the answer should not repeat': '繰り返してほしくないことをプロンプトに書いてください',
  'use top_p, which is sent': 'top_p は送られるので、そちらを使ってください',
  'say in the prompt that one tool is called at a time':
    'ツールは一度に 1 つだけ呼び出すようプロンプトに書いてください',
  'the model thinks as much as it does by itself': '思考の量はモデルに任されます',
  'leave it out': '書かないでください',
  'hold the answer by structured_outputs, or cut it in the node behind it':
    'structured_outputs で応答の形を決めるか、後ろのノードで切り取ってください',
  'write its schema: {type: json_schema, json_schema: {…}}':
    'スキーマを書いてください：{type: json_schema, json_schema: {…}}',
};
