import type { PartChange } from '../attribute-changes/attribution.ts';
import { isProgram } from '../attribute-changes/program-change.ts';

/** Kinds of parts, where a reader has other words for them; the rest of a part's name is kept: `template ask.jinja2`, `input query`. */
const english: Readonly<Record<string, string>> = {
  template: 'prompt',
  key: 'setting',
  type: 'node type',
  reads: 'data',
  lists: 'folder',
  variable: 'environment variable',
  activate: 'condition',
  inputs: 'what it reads',
  times: 'number of iterations',
  environment: 'something outside its definition',
  answering: 'the connection that answered',
};

const japanese: Readonly<Record<string, string>> = {
  template: 'プロンプト',
  prompt: 'プロンプト',
  code: 'コード',
  input: '入力',
  connection: '接続',
  key: '設定',
  type: 'ノードの種類',
  reads: 'データ',
  lists: 'フォルダー',
  variable: '環境変数',
  activate: '条件',
  inputs: '読み取るもの',
  times: '繰り返し回数',
  environment: '定義の外のもの',
  answering: '応答した接続',
  added: '追加',
  removed: '削除',
};

/**
 * Parts of a definition in words: `prompt ask.jinja2 and input temperature (0 → 0.7) changed`; of the program alone
 * `Unroll 0.1.0 (build 4f1c2a9b03de) → 0.1.1 (build 9a33e0c1d752)`.
 */
export function partsText(parts: readonly PartChange[], language: 'en' | 'ja' = 'en'): string {
  const named = partNames(parts, language);
  const isOfProgram = parts.length > 0 && parts.every(isProgram);
  if (language === 'ja') return isOfProgram ? named.join('、') : `${japaneseParts(parts)}の変更`;
  if (isOfProgram) return named.join(', ');
  const last = named.at(-1) ?? '';
  const list = named.length < 2 ? last : `${named.slice(0, -1).join(', ')} and ${last}`;
  return `${list} changed`;
}

/** `プロンプト ask.jinja2 `, `プロンプト`: what follows is set off from letters that are not Japanese. */
export function japaneseParts(parts: readonly PartChange[]): string {
  const named = partNames(parts, 'ja').join('、');
  return named.replace(/(?<=[\w.)\]])$/, ' ');
}

/** `prompt ask.jinja2`, `input temperature (0 → 0.7)`. */
export function partNames(parts: readonly PartChange[], language: 'en' | 'ja' = 'en'): readonly string[] {
  return parts.map((part) => partText(part, language));
}

function partText({ part, left, right }: PartChange, language: 'en' | 'ja'): string {
  if (isProgram({ part })) return `${part} ${left} → ${right}`;
  const words = language === 'ja' ? japanese : english;
  const name = part.replace(/^\w+/, (kind) => words[kind] ?? kind);
  if (left === undefined && right === undefined) return name;
  const none = language === 'ja' ? 'なし' : 'none';
  const values = `${left ?? none} → ${right ?? none}`;
  return language === 'ja' ? `${name}（${values}）` : `${name} (${values})`;
}
