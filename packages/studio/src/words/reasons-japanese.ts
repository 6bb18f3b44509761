import { toldInJapanese } from '@unroll/project/japanese';
import type { FigureReason } from '@unroll/project/studio-contract';

const reasons: Readonly<Record<FigureReason, string>> = {
  'worked out when the run is opened': '実行を開くと計算されます',
  'worked out while the record is read': '記録の読み込み中に計算されます',
  'not read yet': 'まだ読み込んでいません',
  'not known yet': 'まだわかりません',
  'did not run': '実行されていません',
  'no price of its model is known': 'モデルの単価が不明',
  'nobody is billed for it': '課金なし',
  'some calls have no price that is known': '単価が不明な呼び出しあり',
  'not known': '不明',
  'its rows were not counted': '行数を数えていません',
  'not scored': 'スコアなし',
  'no model is asked': 'モデルの呼び出しなし',
  'no row is judged by both': '両方が判定した行がありません',
  'one of them always says the same': '一方の判定がすべて同じです',
  'it cannot be read': '読み取れません',
};

/** Why something is only shown in the playground. */
const problems: Readonly<Record<string, string>> = {
  'it lies outside of the folder of the flow': 'フローのフォルダーの外にあるため、編集できません',
  'it is not written in UTF-8': 'UTF-8 で書かれていないため、編集できません',
  'a secret stands in it': '秘密が含まれているため、編集できません',
  'a list or a mapping: edit it in the file': 'リストまたはマッピングのため、ファイルで編集してください',
  'the record holds no value of it': '記録に値がありません',
};

/** Why there is no value, or none that can be edited; what was recorded stays as it is. */
export function reasonInJapanese(told: string): string {
  return { ...reasons, ...problems }[told] ?? toldInJapanese(told) ?? told;
}
