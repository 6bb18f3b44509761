import type { GateResult } from '@unroll/evals';
import { inJapanese, type JapaneseRule } from './japanese-rules.ts';

/** Why rows have no score, as evaluators and scoring say it; what a service or a person's code said stays as it is. */
const unscoredRules: readonly JapaneseRule[] = [
  [/^no expectation$/, '期待値がありません'],
  [/^not in the data$/, 'データにない行です'],
  [/^unreadable in the data$/, 'データの行を読み取れません'],
  [/^other inputs than in the data$/, '入力がデータの行と異なります'],
  [/^fewer than (\d+) attempts \(--repeat \d+\)$/, '試行が $1 回未満です（--repeat $1）'],
  [/^of a metric that neither passes nor fails$/, '合否のない指標に対するものです'],
  [/^row not run$/, '行が実行されていません'],
  [/^node bypassed$/, 'ノードが省略されました'],
  [/^node failed$/, 'ノードが失敗しました'],
  [/^node not run$/, 'ノードが実行されていません'],
  [/^node not recorded$/, 'ノードの記録がありません'],
  [/^row failed$/, '行が失敗しました'],
  [/^the score is no number$/, 'スコアが数値ではありません'],
  [/^the score is beyond ±1e100$/, 'スコアが ±1e100 の範囲を超えています'],
  [/^corpus is no list$/, 'corpus がリストではありません'],
  [/^a pattern took more than 1 s(?:: whether it fits is not known)?$/, 'パターンの照合に 1 秒を超えました'],
  [
    /^cannot be checked: its schema refers to itself without end$/,
    'スキーマが終わりなく自身を参照するため検査できません',
  ],
  [/^cannot be checked: Ajv fails over its schema$/, 'Ajv がこのスキーマで失敗するため検査できません'],
  [/^taken from an earlier run$/, '以前の実行の出力を使ったため'],
  [/^no time recorded$/, '時間の記録がありません'],
  [/^no price known$/, '単価が不明です'],
  [/^tokens not told$/, 'トークン数が知らされていません'],
  [/^never finished$/, '終了しませんでした'],
  [/^no text$/, 'テキストがありません'],
  [/^no sources$/, '出典がありません'],
  [/^no quotation asked for$/, '引用は求められていません'],
  [/^counted by the judge$/, '判定フローが集計しました'],
  [/^the judge names no winner$/, '判定フローが勝者を示していません'],
  [/^the judge gave no number$/, '判定フローが数値を返していません'],
  [/^the judge logged no number as (.+)$/, '判定フローが $1 の数値を記録していません'],
  [/^judge failed: (.+)$/, '判定フローが失敗しました（$1）'],
  [/^the embedder gave no vector$/, '埋め込みモデルがベクトルを返していません'],
  [/^the embedder makes nothing of what is expected$/, '埋め込みモデルは、期待する値から何も読み取れません'],
  [/^the embedder failed: (.+)$/, '埋め込みモデルが失敗しました（$1）'],
  [/^the evaluator failed$/, '評価関数が失敗しました'],
  [/^the evaluator gave none$/, '評価関数がスコアを返していません'],
  [
    /^the evaluator gave neither a number nor true, false or null$/,
    '評価関数が数値・true・false・null 以外を返しました',
  ],
  [/^row stopped$/, '行が停止されました'],
  [/^expected is no number$/, '期待値が数値ではありません'],
  [/^expected is no id$/, '期待値が ID ではありません'],
  [/^expected looks like a list and is no JSON$/, '期待値はリストのように見えますが、JSON ではありません'],
  [/^expected is no call$/, '期待値が関数呼び出しではありません'],
  [/^expected has no words$/, '期待値に単語がありません'],
  [/^what was returned is neither a list nor a text$/, '検索結果がリストでもテキストでもありません'],
  [/^what was returned looks like a list and is no JSON$/, '検索結果はリストのように見えますが、JSON ではありません'],
  [/^nothing that was returned has "(.+)"$/, '検索結果のどれにも「$1」がありません'],
];

/** What gates ask for, and what came of them (@unroll/evals, judgeGate, judgeBaseline, judgeLabels). */
const gateRules: readonly JapaneseRule[] = [
  [/^agreement (.+)$/, '人との一致（κ）$1 以上'],
  [/^no worse than baseline by more than (.+)$/, 'ベースラインからの悪化が $1 以内'],
  [/^min (.+) in each slice$/, 'どのグループも $1 以上'],
  [/^max (.+) in each slice$/, 'どのグループも $1 以下'],
  [/^min (.+)$/, '$1 以上'],
  [/^max (.+)$/, '$1 以下'],
  [/^no worse than baseline in each slice$/, 'どのグループもベースラインより悪化しない'],
  [/^no worse than baseline$/, 'ベースラインより悪化しない'],
  [/^in (.+) the mean of (.+) scores? is (.+?), below (.+)$/, '$1：$2 件の平均は $3 で、$4 を下回っています'],
  [/^in (.+) the mean of (.+) scores? is (.+?), above (.+)$/, '$1：$2 件の平均は $3 で、$4 を上回っています'],
  [/^in (.+) significantly worse: (.+)$/, '$1：有意に悪化：$2'],
  [/^and in ([\d,]+) more slices?$/, 'ほか $1 グループ'],
  [/^each of ([\d,]+) slices by (.+) keeps to it$/, '$2 の $1 グループのすべてで満たしています'],
  [/^the one slice by (.+) keeps to it$/, '$1 の 1 グループで満たしています'],
  [/^not judged for want of scores: (.+)$/, 'スコアがないため判定していないグループ：$1'],
  [
    /^not judged for want of scores \((.+) are asked for\): (.+)$/,
    'スコアが $1 件に満たないため判定していないグループ：$2',
  ],
  [/^not judged for want of rows in the baseline: (.+)$/, 'ベースラインに行がないため判定していないグループ：$1'],
  [
    /^not judged for want of rows in the baseline \((.+) are asked for\): (.+)$/,
    'ベースラインの行が $1 行に満たないため判定していないグループ：$2',
  ],
  [/^not compared for want of rows in the baseline: (.+)$/, 'ベースラインに行がないため比較していないグループ：$1'],
  [
    /^not compared for want of rows in the baseline \((.+) are asked for\): (.+)$/,
    'ベースラインの行が $1 行に満たないため比較していないグループ：$2',
  ],
  [/^([\d,]+) more values? of (.+), in ([\d,]+) rows?, not judged$/, '$2 のほかの値 $1 個（$3 行）は判定していません'],
  [/^no slice is judged$/, '判定できたグループがありません'],
  [
    /^it is one figure over all rows, which slices have no part in$/,
    '全行で 1 つの値なので、グループごとの値はありません',
  ],
  [/^nothing was scored$/, 'スコアが一つもありません'],
  [/^in no row anything stands where it looks$/, 'どの行にも評価する値がありません'],
  [/^the mean of (.+) scores? is (.+?), below (.+)$/, '$1 件の平均は $2 で、$3 を下回っています'],
  [/^the mean of (.+) scores? is (.+?), above (.+)$/, '$1 件の平均は $2 で、$3 を上回っています'],
  [/^the mean of (.+) scores? is (.+)$/, '$1 件の平均は $2 です'],
  [
    /^(\d+) (?:row has|rows have) no score because something failed there or nothing was run; none is allowed$/,
    '失敗または未実行のためスコアのない行が $1 行あります（許容は 0 行）',
  ],
  [
    /^(\d+) (?:row has|rows have) no score because something failed there or nothing was run; (\d+) (?:is|are) allowed$/,
    '失敗または未実行のためスコアのない行が $1 行あります（許容は $2 行）',
  ],
  [
    /^the data changed since the baseline was accepted and no key tells which row is which$/,
    'ベースラインの承認後にデータが変わり、行を対応付けるキーもありません',
  ],
  [/^no row is scored both in the baseline and now$/, 'ベースラインと今回の両方で評価された行がありません'],
  [
    /^the baseline has no scores of it; accepting a new one guards it from then on$/,
    'ベースラインにこの指標がありません。新しいベースラインを承認すると、以後は比較されます',
  ],
  [
    /^the baseline has scores of another kind; accepting a new one guards it from then on$/,
    'ベースラインのスコアは種類が異なります。新しいベースラインを承認すると、以後は比較されます',
  ],
  [/^worse by more than ([^:]+): (.+)$/, '$1 を超えて悪化：$2'],
  [/^significantly worse: (.+)$/, '有意に悪化：$1'],
  [/^the same (.+) in each of ([\d,]+) rows?(?:; ([\d,]+) rows? scored before, not now)?$/, '$2 行すべてで同じ $1'],
  [
    /^no row is labelled pass or fail: labels are kept beside the data of the evaluation, which names none$/,
    '合格・不合格のラベルがある行がありません：ラベルは評価のデータの隣に保存されますが、この評価にはデータがありません',
  ],
  [
    /^no row is labelled pass or fail: those of "(.+)" in (.+) count, for the same inputs and answer$/,
    '合格・不合格のラベルがある行がありません：$2 にある「$1」のラベルのうち、入力と回答が同じものが数えられます',
  ],
  [
    /^κ is not known over ([\d,]+) labelled rows?: one of metric and people always says the same$/,
    'ラベルのある $1 行では、指標と人の一方の判定がすべて同じため κ を求められません',
  ],
];

/** Parts of a comparison in brackets, wherever they stand. */
const comparisonRules: readonly JapaneseRule[] = [
  [/ over ([\d,]+) rows? \(/g, '、$1 行（'],
  [/ over ([\d,]+) labelled rows?/g, '（ラベル $1 行）'],
  [/, 95 % interval (\S+(?: (?:points|ms|tokens))?) to (\S+(?: (?:points|ms|tokens))?)/g, '、95 % 区間 $1～$2'],
  [/, p ([=<])/g, '、p $1'],
  [/; (\d+) fixed, (\d+) broken/g, '、改善 $1 行、悪化 $2 行'],
  [/; not significant, about (\d+) rows would tell/g, '、有意差なし、判断には約 $1 行必要'],
  [/; not significant/g, '、有意差なし'],
  [/; ([\d,]+) rows? scored before, not now/g, '、以前だけ評価できた行 $1'],
  [/ and ([\d,]+) more slices?$/g, '、ほか $1 グループ'],
  [/, below (\S+)$/g, '、$1 を下回っています'],
  [/ points/g, ' ポイント'],
  [/\)$/g, '）'],
];

/** Why a row has no score, in a language. */
export function reasonInLanguage(reason: string, language: 'en' | 'ja'): string {
  return language === 'ja' ? inJapanese(reason, unscoredRules) : reason;
}

/** A gate with its rule and its reason in a language. */
export function gateInLanguage({ rule, passed, reason }: GateResult, language: 'en' | 'ja'): GateResult {
  if (language !== 'ja') return { rule, passed, reason };
  const rules = rule.split(', ').map((one) => inJapanese(one, gateRules));
  return { rule: rules.join('、'), passed, reason: gateReason(reason) };
}

/** Of several rules that pass each has its reason; `; ` stands within those of a comparison as well. */
function gateReason(reason: string): string {
  const clauses = reason
    .split(
      /; (?=the same |κ |the mean |the one slice |in \S|and in \d|each of \d|not (?:judged|compared) for |the baseline has |[\d,]+ more values? |[^;()]+ → )/,
    )
    .map((one) => comparisonText(inJapanese(one, gateRules)));
  return clauses.join('。');
}

function comparisonText(text: string): string {
  return comparisonRules.reduce((changed, [says, japanese]) => changed.replace(says, japanese), text);
}
