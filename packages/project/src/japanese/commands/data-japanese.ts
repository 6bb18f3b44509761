/** What is wrong with data, inputs, cassettes and files that are written. */
export const dataJapanese: Readonly<Record<string, string>> = {
  "The input for batch run is incorrect. Couldn't find these mapping relations: {}. Please make sure your input mapping keys and values match your YAML input section and input data. For more information, refer to the following documentation: {}":
    'データの列の対応づけが正しくありません。見つからない対応：{1}。キーと値が、フローの入力とデータの列に合っているか確認してください（{2}）',
  "Couldn't find any inputs data at the given input paths. Please review the provided path and consider resubmitting.\n{}":
    '指定されたパスにデータがありません。パスを確認してください。\n{1}',
  'The input for flow cannot be empty in batch mode. Please review your flow and provide valid inputs.':
    'データを使った実行には、フローの入力が 1 つ以上必要です。',
  'a JSON file must be a list of objects, or an object whose values are columns of the same length and with the same keys':
    'JSON のファイルは、オブジェクトのリストか、同じ長さの列からなるオブジェクトでなければなりません',
  'a row is {}': '行が {1} です',
  'there is no folder {}': 'フォルダー {1} がありません',
  'Name a new folder: flow init FOLDER': '新しいフォルダーを指定してください：flow init FOLDER',
  'Name a new folder.': '新しいフォルダーを指定してください。',
  'For instance: --input "query=…"': '例：--input "query=…"',
  'The sign behind {} is a full-width one: write {}=… with the half-width "=".':
    '{1} の後の「＝」が全角です。半角の「=」で {2}=… と書いてください。',
  'there is no run {}, and {}': '実行 {1} が見つかりません。{2*}',
  '{} is no file': '{1} はファイルではありません',
  '{} is larger than {} MB': '{1} が {2} MB を超えています',
  '{} leads out of the folder': '{1} がフォルダーの外を指しています',
  '{} is no run of Prompt flow: it has no {}': '{1} は Prompt flow の実行ではありません：{2} がありません',
  '{} holds no row: the run ended before its first one (its logs.txt may say why)':
    '{1} に行がありません。最初の行の前に実行が終わっています（logs.txt に理由があるかもしれません）',
  'which data? Give a file or a folder as data, or an earlier run as run':
    'どのデータですか。data にファイルかフォルダーを、または run に以前の実行を指定してください',
  'standard input is read as JSONL in UTF-8, not as {}': '標準入力は UTF-8 の JSONL として読みます。{1} では読めません',
  'the rows of run {} are read as they were recorded, not as {}':
    '実行 {1} の行は記録のまま読みます。{2} では読めません',
  'Write the rows to a file and name it as data.': '行をファイルに書き出し、data に指定してください。',
  '{} must hold a mapping: flow, data, column_mapping …':
    '{1} にはマッピング（flow、data、column_mapping …）を書いてください',
  'variable {} asks for connection "{}", which is not found': '変数 {1} が使う接続「{2}」が見つかりません',
  'variable {}: connection "{}" has no "{}"': '変数 {1}：接続「{2}」に「{3}」がありません',
  'the input {} is missing': '入力 {1} がありません',
  'the inputs {} are missing': '入力 {1} がありません',
  'Give {} with\n{}\nor all at once with --inputs FILE (JSON).':
    '次のように指定してください。\n{2}\nまとめて指定するには --inputs FILE（JSON）を使います。',
  'the inputs cannot be read: ({}) {}': '入力を読めません（{1}）：{2*}',
  'the flow cannot be run on one row: ({}) {}': 'このフローは 1 行だけでは実行できません（{1}）：{2*}',
  'Give it `nodes`, each with a `name`; flow init makes a flow to start from.':
    '`nodes` を書き、それぞれに `name` を付けてください。出発点になるフローは flow init で作れます。',
  'inputs must be an object: the value of each input by its name':
    '入力は、名前ごとの値を持つオブジェクトでなければなりません',
  'inputs are {}, or hold themselves': '入力が深すぎるか（{1}）、自分自身を含んでいます',
  'the input "{}" holds {}, which JSON cannot say': '入力「{1}」に、JSON で表せない {2} があります',
  'it is hidden, or lies behind a link or in a folder that tools fill':
    '隠しファイルであるか、リンクの先、またはツールが作るフォルダーにあります',
  'files that the flow names would not go along\n{}':
    'フローに書かれたファイルのうち、一緒に送られないものがあります\n{1*}',
  'the flow has no node "{}"': 'フローにノード「{1}」はありません',
  'in run {}, inputs of node "{}" held a secret, which no record keeps':
    '実行 {1} のノード「{2}」の入力には秘密が含まれていたため、記録にありません',
  'Give its inputs with --input name=value or --inputs FILE, without --from.':
    '--from を付けずに、--input 名前=値 か --inputs FILE で入力を指定してください。',
  'in run {}, node "{}" did not run': '実行 {1} ではノード「{2}」が実行されていません',
  'node "{}" needs {}': 'ノード「{1}」には {2} が必要です',
  'Give them with --input name=value or --inputs FILE, or take those of a run with --from latest.':
    '--input 名前=値 か --inputs FILE で指定するか、--from latest で実行のものを使ってください。',
  'It should hold the calls that a run which was killed had recorded. Move it away to record without them.':
    '強制終了された実行が記録した呼び出しが入っているはずのファイルです。それを使わずに記録するには、別の場所に移してください。',
  'Nothing was written.': '何も書き込んでいません。',
  '--record-mode all keeps only calls that are made, and --since makes but few':
    '--record-mode all は行われた呼び出しだけを残しますが、--since ではほとんど行われません',
  'Leave out one of them, or record with --record-mode new.':
    'どちらかを外すか、--record-mode new で記録してください。',
  'the cassette {} cannot be written: {}': 'カセット {1} に書き込めません：{2}',
  'there is no cassette {}': 'カセット {1} がありません',
  'flow run … --record {} makes one.': 'flow run … --record {1} で作れます。',
  'the cassette {} cannot be read: {}': 'カセット {1} を読めません：{2*}',
  '{} is a file, not an empty folder': '{1} はファイルです。空のフォルダーを指定してください',
  '{} is a file': '{1} はファイルです',
  '{} is no folder': '{1} はフォルダーではありません',
  '{} is not empty': '{1} は空ではありません',
  '{} is no export of flow view: it is left as it is': '{1} は flow view の書き出しではないため、そのままにしました',
  'Name a folder that is not there yet, or an earlier export, which is made anew.':
    'まだないフォルダーか、作り直してよい以前の書き出しを指定してください。',
  'run {} holds no value of the input "{}": its rows cannot be run again':
    '実行 {1} に入力「{2}」の値がないため、行をもう一度実行できません',
  'Run the flow over the data of that run, and compare the two with flow diff.':
    'その実行のデータでフローを実行し、flow diff で比べてください。',
  '{}, nor at {}': '{1*}（{2} にもありません）',
  '--name gives the imported one another name.': '取り込む実行には --name で別の名前を付けられます。',
  'Without that file the other rows are read.': 'そのファイルを除けば、ほかの行を読めます。',
  'flow help import-run tells where they lie.': '場所は flow help import-run で見られます。',
  'Download it (in the studio: the files of the flow), then flow run FOLDER.':
    'ダウンロードしてから（スタジオではフローのファイル）、flow run FOLDER で実行してください。',
  'Download it, then --data FILE.': 'ダウンロードしてから --data FILE で指定してください。',
  'Download it (pfazure run download --name NAME), then flow import-run FOLDER.':
    'ダウンロードしてから（pfazure run download --name NAME）、flow import-run FOLDER で取り込んでください。',
  '{} is compressed with {}, which is not read: write it with Snappy, gzip, Brotli or Zstandard':
    '{1} は {2} で圧縮されていて読めません。Snappy、gzip、Brotli、Zstandard のいずれかで書き出してください',
};
