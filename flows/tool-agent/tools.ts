import { readFileSync } from 'node:fs';
import { openIndex } from '@unroll/nodes/lookup';

interface Product {
  readonly code: string;
  readonly name: string;
  /** Yen, tax included. */
  readonly price: number;
  readonly stock: number;
}

const products = JSON.parse(readFileSync(new URL('products.json', import.meta.url), 'utf8')) as readonly Product[];

/** Yen by region. */
const fees: Readonly<Record<string, number>> = {
  北海道: 1100,
  Hokkaido: 1100,
  東北: 800,
  関東: 600,
  Kanto: 600,
  関西: 700,
  Kansai: 700,
  九州: 1000,
  Kyushu: 1000,
  沖縄: 1500,
  Okinawa: 1500,
};

export function getProduct({ code }: { readonly code: string }) {
  const found = products.find((product) => product.code === code);
  if (found === undefined) throw new RangeError(`商品番号 ${code} の商品はありません (there is no product ${code})`);
  return found;
}

export function multiply({ a, b }: { readonly a: number; readonly b: number }): number {
  return a * b;
}

export function shippingFee({ region }: { readonly region: string }) {
  return { region, fee: fees[region] ?? null };
}

/** The rules that fit best, in the language of the question. */
export function shopRules({ query }: { readonly query: string }): string {
  const hits = openIndex(new URL('rules.jsonl', import.meta.url)).search(query, { topK: 1 });
  const [best] = hits;
  if (best === undefined) return '該当する決まりはありません。(No rule was found.)';
  const isJapanese = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(query);
  return `[${best.id}] ${isJapanese ? best.text : best.fields['text_en']}`;
}
