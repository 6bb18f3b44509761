import { type JsonValue, stringifyJson, withImageNames } from '@unroll/engine';
import type { Value } from '../studio-contract/contract.ts';

/** Characters that are sent of a value unless all of it is asked for. */
const longestShown = 20_000;

/** @param ref by which all of it is asked for, where it is cut */
export function valueView(value: JsonValue | undefined, ref?: string, longest = longestShown): Value {
  if (value === undefined) return { form: 'none', text: '', size: 0, isCut: false };
  const text = typeof value === 'string' ? value : stringifyJson(value, 2);
  const isCut = text.length > longest;
  const language = languageOf(text);
  return {
    form: typeof value === 'string' ? 'text' : 'json',
    text: isCut ? wholeCharacters(text, longest) : text,
    size: text.length,
    isCut,
    ...(isCut && ref !== undefined ? { ref } : {}),
    ...(isCut && ref !== undefined && pictureBytes.test(text) ? { holdsPictures: true } : {}),
    ...(language === undefined ? {} : { language }),
  };
}

const pictureBytes = /"data:image\/[\w.+*-]+;base64[,"]/;

/** No half of a pair of surrogates at the end. */
function wholeCharacters(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}

/** Japanese has kana, and more than a stray one; of Chinese characters alone nobody knows. */
export function languageOf(text: string): 'ja' | 'en' | undefined {
  const start = text.slice(0, 2000);
  const kana = start.match(/[\u3041-\u30ff]/g)?.length ?? 0;
  if (kana > 1 && kana * 20 > start.length * 0.5) return 'ja';
  return /[a-z]{2}/i.test(start) && kana === 0 ? 'en' : undefined;
}

const longestPreview = 300;

/** A value on one line, for a cell; a picture by its name. */
export function preview(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  const told = withImageNames(value);
  const text = (typeof told === 'string' ? told : stringifyJson(told)).slice(0, longestPreview * 4);
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > longestPreview ? wholeCharacters(line, longestPreview) : line;
}
