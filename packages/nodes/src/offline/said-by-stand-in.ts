/** Whether a text holds Japanese letters. */
export function isJapanese(text: string): boolean {
  return /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(text);
}

const noteJa = '（オフラインの代役による回答です。モデルの回答ではありません。）';
const noteEn = '(Answered by the offline stand-in, not by a model.)';

/** What every answer ends with, in the language of the text it answers. */
export function note(text: string): string {
  return isJapanese(text) ? noteJa : noteEn;
}

/** What a text says, where the stand-in wrote it itself. */
export function withoutNote(text: string): string {
  return text.replaceAll(noteJa, '').replaceAll(noteEn, '').trim();
}
