/** A calculation that a question asks for in words or signs: `What's 3 times 2?`, `12 x 480`, `3かける7`. */
export interface Calculation {
  readonly operation: Operation;
  readonly numbers: readonly [number, number];
}

type Operation = 'add' | 'subtract' | 'multiply' | 'divide';

const number = String.raw`(-?\d+(?:\.\d+)?)`;
const between = (words: string): RegExp => new RegExp(`${number}\\s*(?:${words})\\s*${number}`, 'iu');
const before = (verb: string, joint: string): RegExp =>
  new RegExp(`${verb}\\s+${number}\\s+${joint}\\s+${number}`, 'iu');

const forms: readonly (readonly [Operation, RegExp])[] = [
  ['multiply', between(`times|multiplied by|[x*×✕]|かける|掛ける`)],
  ['divide', between(`divided by|[/÷]|わる|割る`)],
  ['add', between(String.raw`plus|\+|たす|足す`)],
  ['subtract', between(String.raw`minus|−|-(?=\s)|ひく|引く`)],
  ['multiply', before('multiply', '(?:by|and|with)')],
  ['divide', before('divide', 'by')],
  ['add', before('add', '(?:and|to)')],
];

/** What a tool for each of them is called or described by. */
const names: Readonly<Record<Operation, RegExp>> = {
  multiply: /multipl|product of|掛け算|乗算/iu,
  divide: /divid|quotient|割り算|除算/iu,
  add: /\badd|\bsum\b|plus|足し算|加算/iu,
  subtract: /subtract|minus|引き算|減算/iu,
};

export function readCalculation(question: string): Calculation | undefined {
  const plain = question.normalize('NFKC').replaceAll(/(?<=\d),(?=\d{3})/gu, '');
  for (const [operation, form] of forms) {
    const [whole, first, second] = form.exec(plain) ?? [];
    if (whole !== undefined) return { operation, numbers: [Number(first), Number(second)] };
  }
  return undefined;
}

/** Whether a tool of that name and description makes it. */
export function calculates({ operation }: Calculation, tool: string): boolean {
  return names[operation].test(tool);
}

const signs: Readonly<Record<Operation, string>> = { add: '+', subtract: '-', multiply: '*', divide: '/' };

/** As calculators take it: `3 * 2`. */
export function expressionOf({ operation, numbers: [first, second] }: Calculation): string {
  return `${first} ${signs[operation]} ${second}`;
}
