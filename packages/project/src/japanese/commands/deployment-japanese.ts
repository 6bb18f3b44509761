/** What is wrong with flows that are built, served or given to workers. */
export const deploymentJapanese: Readonly<Record<string, string>> = {
  '{} and the folder of the flow lie in each other': '{1} とフローのフォルダーが重なっています',
  'Name a folder beside it: --output ../built': '外のフォルダーを指定してください：--output ../built',
  '--force writes into it; the folder of the flow in it is replaced, all else that is not written stays.':
    '--force を付けると書き込みます。中にあるフローのフォルダーは置き換わり、ほかのものはそのまま残ります。',
  'the flow has more than {} of files: {}, which has {}, is too much':
    'フローのファイルが {1} を超えています：{2}（{3}）が大きすぎます',
  'Keep outside the folder what the flow does not read there.':
    'フローが読まないものは、フォルダーの外に置いてください。',
  'npm cannot write package-lock.json: {}': 'npm が package-lock.json を書けません：{1}',
  'Nothing was written. Take it from a connection, or from a variable of the environment.':
    '何も書き込んでいません。接続か環境変数から読むようにしてください。',
  '{} holds no {}': '{1} に {2} がありません',
  'pnpm packages writes them to release/packages.': 'pnpm packages で release/packages に作れます。',
  'package.json of the flow must be a mapping': 'フローの package.json はオブジェクトでなければなりません',
  'package.json of the flow: dependencies must be a mapping of names to versions':
    'フローの package.json：dependencies は名前とバージョンのオブジェクトでなければなりません',
  'package.json of the flow is no JSON: {}': 'フローの package.json は JSON ではありません：{1}',
  '{} must have its version as a text': '{1} のバージョンは文字列でなければなりません',
  '{} is {}, which cannot be installed where the flow is built':
    '{1} は {2} で、フローをビルドする場所ではインストールできません',
  'Write the version that a registry has of it, or move its code into the folder of the flow.':
    'レジストリにあるバージョンを書くか、コードをフローのフォルダーに移してください。',
  'the requirements of the flow cannot be built: {}': 'フローの requirements をビルドできません：{1}',
  'the flow has {} of files, and at most {} go to workers':
    'フローのファイルは {1} ですが、ワーカーに送れるのは {2} までです',
  'The largest:\n{}\nKeep outside the folder what the flow does not read there.':
    '大きいもの：\n{1}\nフローが読まないものは、フォルダーの外に置いてください。',
  'the bundle of the flow is damaged: {}': 'フローのバンドルが壊れています：{1}',
  'the file {} of a bundle leads out of it': 'バンドルのファイル {1} がバンドルの外を指しています',
  'run {} at {} never was on workers': '{2} の実行 {1} はワーカーで実行されたものではありません',
  'run {} is being stopped': '実行 {1} を停止しているところです',
  'It can go on once its rows in flight have ended.': '実行中の行が終われば続けられます。',
  'flow attach {} follows it.': 'flow attach {1} で様子を見られます。',
  'run {} is over: all its rows have ended': '実行 {1} は終わっています。すべての行が終了しました',
  'flow run --retry-failed runs those again that failed.':
    '失敗した行は flow run --retry-failed でもう一度実行できます。',
  'an engine records every request that it is given: --record and --engine exclude each other':
    'エンジンはすべての要求を記録します。--record と --engine は一緒に使えません',
  '--redact keeps inputs out of records of this server, and requests to an engine are recorded there':
    '--redact はこのサーバーの記録から入力を除きますが、エンジンへの要求はエンジンに記録されます',
  'Give the input the type secret: such inputs go to workers sealed (docs/engine.md#secrets), and no record holds them.':
    '入力の型を secret にしてください。封をしてワーカーに送られ（docs/engine.md#secrets）、どの記録にも残りません。',
  'the request was given up': '要求は取り消されました',
  'there is another run {} here: {}': '別の実行 {1} がここにあります：{2}',
  '--runs-dir FOLDER names another folder for what is pulled.': '取り込み先は --runs-dir FOLDER で変えられます。',
  'run {} is under way at {}': '実行 {1} は {2} で実行中です',
  'flow stop {} stops it.': 'flow stop {1} で停止できます。',
  'every worker that ran this row ended without a word while it did':
    'この行を実行したワーカーが、どれも途中で何も告げずに終わりました',
  'The request took longer than {} s.': '要求が {1} 秒を超えました。',
  'The request was given up.': '要求は取り消されました。',
  'The server is about to end.': 'サーバーが終了するところです。',
  'Too many requests are under way.': '処理中の要求が多すぎます。',
  'two flows are called {}: their folders must have names of their own':
    '{1} という名前のフローが 2 つあります。フォルダーの名前を変えてください',
  'port {} of {} cannot be listened on: {}': '{2} のポート {1} で待ち受けられません：{3}',
  'Another one is chosen with --port; 0 takes any that is free.':
    '--port で別のポートを選べます。0 なら空いているポートを使います。',
  '--host takes an address of this machine; 0.0.0.0 is all of them.':
    '--host にはこの機械のアドレスを指定してください。0.0.0.0 はそのすべてです。',
  '{} can be reached from other machines: a key is needed': '{1} は別の機械から届くため、キーが必要です',
  '--api-key-env NAME takes it from a variable; --no-auth serves without one.':
    '--api-key-env NAME で環境変数から読めます。キーなしで公開するには --no-auth を付けてください。',
  'samples.json is no JSON: {}': 'samples.json は JSON ではありません：{1}',
};
