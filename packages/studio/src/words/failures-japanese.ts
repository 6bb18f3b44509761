import { mistakeInJapanese, mistakesInJapanese, toldInJapanese } from '@unroll/project/japanese';
import type { ErrorAnswer } from '@unroll/project/studio-contract';

const sentences: Readonly<Record<string, string>> = {
  RunNotFound: '実行が見つかりません。',
  RowNotFound: '行が見つかりません。',
  NodeNotFound: 'ノードが見つかりません。',
  ValueNotFound: '値が見つかりません。',
  FlowNotFound: 'フローが見つかりません。',
  EvalNotFound: '評価が見つかりません。',
  NothingToLabel: 'ラベルを付ける実行がありません。',
  MetricNotFound: '指標が見つかりません。',
  DataNotFound: 'データが見つかりません。',
  RunRemoved: 'この実行は削除されました。',
  RunDamaged: 'この実行の記録を読めません。',
  RunInUse: 'この実行は別のプロセスが使っています。',
  NotOurs: 'この実行は、始めた場所でだけ操作できます。',
  ChatClosed: 'このチャットは終わっています。',
  TurnUnderWay: '前の発言への回答がまだ終わっていません。',
  OutsideFolder: '表示しているフォルダーの外にあります。',
  Changed: '表示した後に変更されています。何も書き込んでいません。',
  LabelChanged: 'このラベルは表示した後に変更されています。何も書き込んでいません。',
  NotEditable: 'ここでは編集できません。',
  NothingChanged: '変更がありません。',
  FlowNotReady: 'フローに誤りがあります。',
  ReadOnly: '読み取り専用で開いているため、変更できません。',
  LabelFileError: 'ラベルのファイルを読めません。直すまで何も書き込みません。',
  MarksFileError: '名前とタグのファイルを読めません。',
  MarksNotPossible: 'この名前、タグ、メモは付けられません。',
  FileInUse: '別のプロセスがファイルに書き込んでいます。',
  DatasetNotChanged: 'データのファイルを変更できません。',
  OutputNotWritable: 'ファイルに書き込めません。元の内容はそのままです。',
  RecordNotWritable: '記録を書き込めません。',
  BadQuery: '指定が正しくありません。',
  TokenNeeded: 'このスタジオを開くには、flow view が表示したアドレスが必要です。',
  StudioError: 'スタジオの内部で問題が起きました。',
};

/** A failure as it is told in Japanese; of one whose sentence is not known its kind, with the words of the server behind it. */
export function failureInJapanese({ code, message, help }: ErrorAnswer['error']): ErrorAnswer['error'] {
  if (notReady.has(code)) return notReadyInJapanese({ code, message, help });
  const told = toldInJapanese(message);
  const helps = help === undefined ? {} : { help: toldInJapanese(help) ?? help };
  if (told !== undefined) return { code, message: told, ...helps };
  const sentence = sentences[code];
  if (sentence === undefined) return { code, message, ...helps };
  return { code, message: sentence, help: [message, ...Object.values(helps)].join('。') };
}

/** Those that say what `flow check` says, with the place in the file. */
const notReady: ReadonlySet<string> = new Set(['FlowNotReady', 'EvaluationNotReady']);

function notReadyInJapanese({ code, message, help }: ErrorAnswer['error']): ErrorAnswer['error'] {
  const [, head = '', said = ''] = /^(the flow cannot run(?:: |\n)|\S+ cannot score it: )?(.*)$/s.exec(message) ?? [];
  const mistakes = mistakesInJapanese(said);
  const told = toldInJapanese(`${head}${mistakes}`) ?? `${head}${mistakes}`;
  return {
    code,
    message: told,
    ...(help === undefined ? {} : { help: toldInJapanese(help) ?? mistakeInJapanese(help) }),
  };
}
