/** What follows from what, each with how many changes. */
interface CountedChanges {
  readonly effects: number;
  readonly inputs: number;
  readonly noise: number;
  readonly noiseEffects: number;
  /** Nodes that are causes. */
  readonly causes: number;
}

/** What the comparison of two runs, A and B, says, in a language. Names stand between what is put before and after them. */
export interface DiffVerdictWords {
  readonly noRow: string;
  sameEverywhere(rows: number): string;
  /** @param output the only one of the flow */
  changed(output: string | undefined, rows: number, paired: number): string;
  sameOutputs(output: string | undefined, paired: number, isInside: boolean): string;
  causes(isOne: boolean): string;
  /** Between two of a list, and at its end. */
  readonly and: string;
  readonly end: string;
  reason(what: string, place: string | undefined): string;
  /** In brackets after what it is said of. */
  inBrackets(text: string): string;
  /** Of a change of the program: before and after the nodes in which it shows. */
  shows(change: string): readonly [string, string];
  readonly noDefinition: string;
  counts(changes: CountedChanges): string | undefined;
  readonly unknown: string;
  unknownIn(rows: number): string;
  readonly withoutEffect: string;
  onlyIn(rows: number, side: string): string;
  readonly added: string;
  readonly removed: string;
  readonly ofNoise: string;
  noEffect(what: string): string;
  more(ways: number): string;
}

const english: DiffVerdictWords = {
  noRow: 'No row of one run is in the other.',
  sameEverywhere: (rows) => `The same in ${count(rows, 'row')}: every node, every output.`,
  changed: (output = 'Outputs', rows, paired) => `${output} changed in ${rows} of ${count(paired, 'row')}.`,
  sameOutputs: (output = 'Outputs', paired, isInside) =>
    isInside
      ? `${output} the same in ${count(paired, 'row')}, but not every node.`
      : `The same in ${count(paired, 'row')}.`,
  causes: (isOne) => (isOne ? 'Cause: ' : 'Causes: '),
  and: ', ',
  end: '.',
  reason: (what, place) => (place === undefined ? what : `${what}, ${place}`),
  inBrackets: (text) => ` (${text})`,
  shows: (change) => [`${change}, which shows in `, ''],
  noDefinition: 'No definition changed.',
  counts({ effects, inputs, noise, noiseEffects, causes }) {
    const of = causes === 1 ? 'of it' : 'of them';
    const counts = [
      { number: effects, one: `an effect ${of}`, many: `effects ${of}` },
      { number: inputs, one: 'due to other inputs' },
      { number: noise, one: 'noise' },
      { number: noiseEffects, one: 'an effect of noise', many: 'effects of noise' },
    ].filter(({ number }) => number > 0);
    const parts = counts.map(({ number, one, many = one }, index) => {
      return `${index === 0 ? count(number, 'change') : number} ${number === 1 ? `is ${one}` : `are ${many}`}`;
    });
    return parts.length === 0 ? undefined : `${parts.join('; ')}.`;
  },
  unknown: 'Why is not known: a run tells no definitions. The first node that differs is ',
  unknownIn: (rows) => `, in ${count(rows, 'row')}.`,
  withoutEffect: 'Without effect: ',
  onlyIn: (rows, side) => `${count(rows, 'row')} ${rows === 1 ? 'is' : 'are'} only in ${side}.`,
  added: 'added',
  removed: 'removed',
  ofNoise: ' (noise)',
  noEffect: (what) => `${what}, no effect`,
  more: (ways) => `${ways} more`,
};

const japanese: DiffVerdictWords = {
  noRow: '両方の実行に共通する行はありません。',
  sameEverywhere: (rows) => `${rows} 行すべてで、ノードも出力も同じです。`,
  changed: (output, rows, paired) =>
    `${paired} 行中 ${rows} 行で${output === undefined ? '出力' : ` ${output} `}が変わりました。`,
  sameOutputs: (output, paired, isInside) =>
    isInside
      ? `${paired} 行すべてで${output === undefined ? '出力' : ` ${output} `}は同じですが、途中のノードに違いがあります。`
      : `${paired} 行すべてで同じです。`,
  causes: () => '原因：',
  and: '、',
  end: '。',
  reason: (what, place) => (place === undefined ? what : `${what}、${place}`),
  inBrackets: (text) => `（${text}）`,
  shows: (change) => [`${change}（違いが出たノード：`, '）'],
  noDefinition: '定義は変わっていません。',
  counts({ effects, inputs, noise, noiseEffects }) {
    const counts = [
      { number: effects, what: '原因からの影響' },
      { number: inputs, what: '入力の違いによるもの' },
      { number: noise, what: 'ゆらぎ' },
      { number: noiseEffects, what: 'ゆらぎからの影響' },
    ].filter(({ number }) => number > 0);
    return counts.length === 0
      ? undefined
      : `違いの内訳：${counts.map(({ number, what }) => `${what} ${number} 件`).join('、')}。`;
  },
  unknown: '実行の記録に定義がないため、理由は不明です。最初に違いが出るノードは ',
  unknownIn: (rows) => `（${rows} 行）です。`,
  withoutEffect: '影響のない変更：',
  onlyIn: (rows, side) => `${side} だけにある行が ${rows} 行あります。`,
  added: '追加',
  removed: '削除',
  ofNoise: '（ゆらぎ）',
  noEffect: (what) => `${what}（影響なし）`,
  more: (ways) => `ほか ${ways} 件`,
};

export const diffVerdictWords: Readonly<Record<'en' | 'ja', DiffVerdictWords>> = { en: english, ja: japanese };

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
