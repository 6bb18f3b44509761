/** What is wrong with an engine: the database that holds runs and gives rows to workers. */
export const engineJapanese: Readonly<Record<string, string>> = {
  'there is no PostgreSQL at {}: {}': '{1} に PostgreSQL がありません：{2}',
  'PostgreSQL at {} cannot do what it is asked: {}': '{1} の PostgreSQL が要求に応えられません：{2}',
  'PostgreSQL at {} lets nobody in for now: {}': '{1} の PostgreSQL は今は接続を受け付けていません：{2}',
  'PostgreSQL at {} takes no writes: {}': '{1} の PostgreSQL に書き込めません：{2}',
  'PostgreSQL at {} lets nobody in: {}': '{1} の PostgreSQL に接続を拒まれました：{2}',
  'PostgreSQL at {}: {}': '{1} の PostgreSQL：{2}',
  'the pooler at {} cannot be used: {}': '{1} のプーラーは使えません：{2}',
  'the tables of the engine at {} are not as flow made them: {}':
    '{1} のエンジンの表が、flow の作った形ではありません：{2}',
  'no encrypted connection to PostgreSQL at {}: {}': '{1} の PostgreSQL に暗号化して接続できません：{2}',
  'Its disk or its memory is full, or its disk fails: once that is mended, try again.':
    'サーバーのディスクかメモリがいっぱいか、ディスクの故障です。直してからもう一度試してください。',
  'Most often this passes: try again.': '多くは一時的なものです。もう一度試してください。',
  'Is the server running, and can it be reached from here?': 'サーバーは動いていますか。ここから届きますか。',
  'It is starting, stopping or going over to another server: try again.':
    'サーバーが起動中、停止中、または切り替え中です。もう一度試してください。',
  'A process opens up to 10 connections: more of them (max_connections, max_client_conn), fewer processes, or a pooler.':
    '1 つのプロセスは最大 10 本の接続を使います。上限（max_connections、max_client_conn）を上げるか、プロセスを減らすか、プーラーを使ってください。',
  'The pooler has to keep a connection for a whole transaction: pool_mode = transaction, or session.':
    'プーラーはトランザクションの間、接続を保つ必要があります：pool_mode = transaction または session。',
  'Leave it out of the address, or let the pooler pass it over: ignore_startup_parameters of PgBouncer.':
    'アドレスから除くか、プーラーで無視してください（PgBouncer では ignore_startup_parameters）。',
  'User and password are read from the address, PGUSER, PGPASSWORD and ~/.pgpass.':
    'ユーザーとパスワードは、アドレス、PGUSER、PGPASSWORD、~/.pgpass から読みます。',
  'createdb makes one; runs may share it with other tables, they have a schema of their own.':
    'createdb で作れます。実行は専用のスキーマに入るため、ほかの表と同じデータベースでも構いません。',
  'flow engine status names the rights that are missing, as the statements that grant them.':
    '足りない権限は flow engine status が GRANT 文で示します。',
  'sslmode and sslrootcert of the address mean what they mean to libpq.':
    'アドレスの sslmode と sslrootcert の意味は libpq と同じです。',
  'An engine needs the primary server, and default_transaction_read_only off.':
    'エンジンにはプライマリーのサーバーが必要で、default_transaction_read_only は off でなければなりません。',
  'the address of the engine holds a character that has another meaning there':
    'エンジンのアドレスに、そのままでは使えない文字があります',
  'In user and password "/" is written %2F, "?" %3F, "#" %23 and "%" %25; or give the password in PGPASSWORD or ~/.pgpass.':
    'ユーザーとパスワードの中では、"/" は %2F、"?" は %3F、"#" は %23、"%" は %25 と書きます。パスワードは PGPASSWORD か ~/.pgpass でも渡せます。',
  'an engine is an address of PostgreSQL': 'エンジンは PostgreSQL のアドレスで指定してください',
  'postgres://USER:PASSWORD@HOST:5432/DATABASE; what is left out is read from PGHOST, PGUSER, PGPASSWORD and PGDATABASE.':
    'postgres://USER:PASSWORD@HOST:5432/DATABASE。省いたものは PGHOST、PGUSER、PGPASSWORD、PGDATABASE から読みます。',
  'a schema cannot be called "{}"': 'スキーマの名前に「{1}」は使えません',
  'Small letters of ASCII, digits and "_", at most 51; no digit and no "pg_" at the start.':
    'ASCII の小文字、数字、"_" で 51 文字までです。数字や "pg_" では始められません。',
  '{} may not use the schema {} at {}': '{1} には、{3} のスキーマ {2} を使う権限がありません',
  'Who owns it allows it: {}': '所有者が次の文で許可できます：{1}',
  'the database at {} has the encoding {}, and UTF8 is needed':
    '{1} のデータベースのエンコーディングは {2} ですが、UTF8 が必要です',
  'Another one has it: createdb --encoding=UTF8 --template=template0 NAME.':
    '作り直してください：createdb --encoding=UTF8 --template=template0 NAME',
  'PostgreSQL {} is too old: {} or newer is needed': 'PostgreSQL {1} は古すぎます。{2} 以上が必要です',
  'the schema {} at {} is of a newer flow: it has migration {}, this release knows {}':
    '{2} のスキーマ {1} は新しい版の flow のものです（マイグレーション {3}、この版は {4} まで）',
  'Update flow here; what is installed there goes on as it is.':
    'ここの flow を新しくしてください。向こうのものはそのまま使えます。',
  '{} may not make the schema {} at {}': '{1} には、{3} にスキーマ {2} を作る権限がありません',
  'The owner of the database allows it: {};': 'データベースの所有者が次の文で許可できます：{1};',
  'there is no sslmode "{}"': 'sslmode「{1}」はありません',
  'As in libpq: {}.': 'libpq と同じです：{1}。',
  'the records of run {} at {} are lost: {}': '{2} の実行 {1} の記録が失われました：{3*}',
  'it was removed while the run wrote it': '書き込み中に削除されました',
  'there is another run {} at {} than the one here': '{2} には、ここのものとは別の実行 {1} があります',
  'Rows on workers take outputs from runs of the engine. flow runs rm RUN --engine removes the one there.':
    'ワーカーの行は、エンジンにある実行の出力を使います。向こうの実行は flow runs rm RUN --engine で削除できます。',
  'run {} is damaged in the database: {} cannot be read': 'データベースの実行 {1} が壊れています：{2} を読めません',
  'there is a run {} already at {}': '{2} にはすでに実行 {1} があります',
  'flow runs --engine lists them; another --name keeps it.':
    '一覧は flow runs --engine で見られます。別の --name を付ければ両方残せます。',
  'run {} at {} has records of format {}, this release reads format {}':
    '{2} の実行 {1} の記録は形式 {3} ですが、この版が読めるのは形式 {4} です',
  'Update flow here.': 'ここの flow を新しくしてください。',
  'what is sealed ({}) is not what was sealed with this key':
    '封をされたもの（{1}）は、このキーで封をしたものではありません',
  'FLOW_ENGINE_KEY is not a key: 32 bytes in base64': 'FLOW_ENGINE_KEY がキーではありません（base64 で 32 バイト）',
  'openssl rand -base64 32 makes one; whoever begins runs and the workers have the same.':
    'openssl rand -base64 32 で作れます。実行を始める側とワーカーで同じものを使ってください。',
  '{}, and the run holds values sealed with the key {}': '{1*}。実行にはキー {2} で封をした値があります',
  'the schema {} at {} {}': '{2} のスキーマ {1}：{3}',
  'flow engine init with the same address makes it one.': '同じアドレスで flow engine init を実行すると用意できます。',
};
