/** What is said of records: runs, their files, who writes them, what is compared. */
export const recordsJapanese: Readonly<Record<string, string>> = {
  'there are no runs at {}': '{1} に実行がありません',
  'flow run FLOW --data DATA --engine makes one.': 'flow run FLOW --data DATA --engine で実行してください。',
  'flow runs lists those here, flow runs --engine those there.':
    'ここの一覧は flow runs、向こうの一覧は flow runs --engine で見られます。',
  'did you mean "{}"? {}': '「{1}」のことでしょうか。{2*}',
  'did you mean "{}" or "{}"?': '「{1}」か「{2}」のことでしょうか。',
  'it has {}': '{1} があります',
  'did you mean "{}"?': '「{1}」のことでしょうか。',
  '"{}" is there, whose letters are composed another way (Unicode NFC, NFD) and look the same: rename it, or copy its name':
    '「{1}」はありますが、見た目が同じで文字の合成のしかたが異なります（Unicode の NFC と NFD）。名前を変えるか、そちらの名前をコピーしてください。',
  'there is no run {} at {}': '{2} に実行 {1} が見つかりません',
  'flow runs --engine lists them.': '一覧は flow runs --engine で見られます。',
  'there are no runs here': 'ここに実行がありません',
  'there is no run {} here': 'ここに実行 {1} が見つかりません',
  'there is no run {} in {}': '{2} に実行 {1} が見つかりません',
  'flow runs lists them.': '一覧は flow runs で見られます。',
  'flow runs lists what can be read.': '読めるものの一覧は flow runs で見られます。',
  'runs cannot be recorded in {}: {}': '{1} に実行を記録できません：{2*}',
  '--runs-dir FOLDER or FLOW_RUNS names another folder.':
    '別のフォルダーは --runs-dir FOLDER か FLOW_RUNS で指定できます。',
  'a run cannot be called "{}"': '実行に「{1}」という名前は付けられません',
  'Letters, digits, ".", "_" and "-", at most 100 and at most {} bytes (66 Japanese letters), and none of "." and "-" at the start.':
    '使えるのは文字、数字、"."、"_"、"-" で、100 文字かつ {1} バイト（日本語なら 66 文字）までです。先頭に "." と "-" は使えません。',
  'there is a run {} already': '実行 {1} はすでにあります',
  'run {} is under way': '実行 {1} は進行中です',
  'run {} cannot be removed: {}': '実行 {1} を削除できません：{2*}',
  'run {} has no row that ended': '実行 {1} に、終わった行がありません',
  '--row takes the number of a row from 0, not "{}"': '--row には 0 から数えた行番号を指定します（指定：「{1}」）',
  'run {} has no row {}': '実行 {1} に行 {2} がありません',
  'run {} is being written by {}': '実行 {1} は {2*} が書き込んでいます',
  'another process': '別のプロセス',
  'Wait until it has ended, or stop it; then the run can go on.':
    '終わるのを待つか停止してください。その後に再開できます。',
  'run {} cannot be written: {}: {}': '実行 {1} を書き込めません：{2}：{3*}',
  'it is no file of names and tags': '名前とタグのファイルではありません',
  'Mend it or take it away: it holds the name, the tags and the note of a run.':
    '実行の名前、タグ、メモのファイルです。直すか、取り除いてください。',
  'a run cannot be called {}: it leads out of the folder of runs':
    '実行に {1} という名前は付けられません。実行のフォルダーの外になります',
  'there are no runs in {}': '{1} に実行がありません',
  'flow run FLOW makes one.': 'flow run FLOW で実行してください。',
  '{} runs start with {}': '{2} で始まる実行が {1} 件あります',
  'did you mean "{}"? flow runs lists them.': '「{1}」のことでしょうか。一覧は flow runs で見られます。',
  'run {} has no node "{}"': '実行 {1} にノード「{2}」がありません',
  'Its nodes: {}': 'あるノード：{1}',
  // The record file itself.
  'the run record {} was {} while the run wrote it: what was recorded is lost':
    '実行の記録 {1} は、書き込み中に失われました（{2}）。記録した内容は残っていません',
  'it was {} while the run wrote it': '書き込み中に失われました（{1}）',
  'there is a run record {} already': '実行の記録 {1} はすでにあります',
  'there is one already': 'すでにあります',
  'the run record {} is damaged: {}': '実行の記録 {1} は壊れています：{2*}',
  '{} is no run record: {}': '{1} は実行の記録ではありません：{2*}',
  'the run record {} cannot be read: {}': '実行の記録 {1} を読めません：{2*}',
  'the run record {} cannot be {}: {}': '実行の記録 {1} を読み書きできません：{3*}',
  'the run was ended before its record began: nothing of it ran, its record can be removed':
    '記録が始まる前に終了しました。何も実行していないため、記録は削除できます',
  'the run record {} has format {}, this release reads format {}: a newer release wrote it, or it is damaged':
    '実行の記録 {1} の形式は {2} で、この版が読めるのは形式 {3} です。新しい版で書かれたか、壊れています',
  'the run record {} is damaged: its tables are not as they were made':
    '実行の記録 {1} は壊れています：表が作られたときと異なります',
  'there is no run record {}': '実行の記録 {1} が見つかりません',
  '{} is no run record: it is no file': '{1} は実行の記録ではありません：ファイルではありません',
  // Names, tags and notes.
  'the name of a run is one line': '実行の名前は 1 行でなければなりません',
  'the name of a run has at most {} characters': '実行の名前は {1} 文字までです',
  'the note of a run has at most {} characters': 'メモは {1} 文字までです',
  'a run has at most {} tags': 'タグは {1} 個までです',
  'a tag is a text of 1 to {} characters on one line, without commas, not {}':
    'タグは 1～{1} 文字の 1 行で、コンマは使えません（指定：{2}）',
  // Files.
  'no space left on the disk': 'ディスクに空きがありません',
  'the disk quota is used up': 'ディスクの割り当てを使い切っています',
  'the disk gave an error': 'ディスクがエラーを返しました',
  'read-only file system': '読み取り専用のファイルシステムです',
  'permission denied': '権限がありません',
  'operation not permitted': '許可されていない操作です',
  'too many open files': '開いているファイルが多すぎます',
  'too many symbolic links': 'シンボリックリンクが多すぎます',
  'its name is too long': '名前が長すぎます',
  'a file stands where a folder is wanted': 'フォルダーが必要な場所にファイルがあります',
  'it is larger than files may be here': 'ここに置けるファイルの大きさを超えています',
  'there is no file {}': 'ファイル {1} が見つかりません',
  '{} is not JSON: {}': '{1} は JSON ではありません：{2}',
  '{} must hold a JSON object with the inputs by name':
    '{1} は、入力を名前ごとに持つ JSON オブジェクトでなければなりません',
  '{} is being written by another process': '{1} には別のプロセスが書き込んでいます',
  '{} cannot be written: {}': '{1} に書き込めません：{2*}',
  'it is a folder': 'フォルダーです',
  '{} {} lies outside of the folder that is shown': '{1} {2} は、表示しているフォルダーの外にあります',
  // Two runs.
  'neither run has a node or family "{}"': 'どちらの実行にもノード「{1}」がありません',
  'Nodes: {}': 'ノード：{1}',
  'there is no run of {} before {}': '{2} より前に {1} の実行がありません',
  'Name two runs: flow diff A B. flow runs lists them.':
    '実行を 2 つ指定してください（flow diff A B）。一覧は flow runs で見られます。',
  '--key {}: row {} of run {} has no {}': '--key {1}：実行 {3} の行 {2} に {4} がありません',
  '--key {}: rows {} and {} of run {} are both {}': '--key {1}：実行 {4} の行 {2} と行 {3} がどちらも {5} です',
  'A key tells every row of a run apart.': 'キーは、実行のすべての行を区別できるものでなければなりません。',
  '--key {}: run {} has no input "{}", and {}': '--key {1}：実行 {2} に入力「{3}」がありません。{4*}',
  'no data file is recorded': 'データのファイルが記録されていません',
  'its data cannot be read: {}': 'データを読めません：{1*}',
  'its data, {}, has changed since': 'データ {1} がその後に変更されています',
  'row {} of {} has no such column': '{2} の行 {1} にその列がありません',
  '--rename {}={}: run {} has no node "{}"': '--rename {1}={2}：実行 {3} にノード「{4}」がありません',
};
