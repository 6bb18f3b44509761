interface NumberKind {
  readonly asked: RegExp;
  readonly told: RegExp;
}

const times: NumberKind = {
  asked:
    /何(?:営業)?(?:日|年|[かヶカ箇ヵケ]月|週間?|時間|分)|期限|いつまで|\bhow (?:long|soon|fast|quickly|many (?:minutes|hours|days|weeks|months|years))\b|\bdeadline\b|\b(?:by|until) when\b/iu,
  told: /[\d一二三四五六七八九十百数半翌] ?(?:営業)?(?:日|年|[かヶカ箇ヵケ]月|週間?|時間)|\d ?分(?!の)|[即当]日|翌月|\b(?:\d+|(?<=\b(?:for|within|after|in) )an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|fifteen|twenty|thirty|sixty|ninety)[- ]?(?:(?:business|working|calendar|full) )?(?:minute|hour|day|week|month|year)s?\b/iu,
};

const amounts: NumberKind = {
  asked:
    /いくら|何円|金額|\bhow much (?:is|are|does|do|can|may|must|will)\b|\bamount\b|\b(?:maximum|highest|minimum|lowest) (?:fine|penalty|fee|price|cost|sum)\b/iu,
  told: /円|ドル|無料|実費|\d ?[%割]|\byen\b|[$€£¥]|\b(?:dollar|euro|pound)s?\b|\b(?:USD|EUR|GBP|JPY)\b|\bpercent\b|\bfree\b|\bcost\b/iu,
};

const ages: NumberKind = {
  asked: /何[歳才]|\bhow old\b|\bwhat age\b/iu,
  told: /[歳才]|\byears? (?:of age|old)\b|\bage\b|\b\d+ or (?:older|over)\b/iu,
};

const counts: NumberKind = {
  asked: /何(?:文字|人|名|件|回|個|台|桁|つ)|\bhow many (?!(?:minutes|hours|days|weeks|months|years)\b)/iu,
  told: /[\d一二三四五六七八九十百千万数] ?(?:文字|人|名|件|回|個|台|桁|つ)|\b\d[\d,]* (?!(?:and|to)\b)\p{L}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|hundred|thousand)\b/iu,
};

const kinds = [times, amounts, ages, counts];

/** Whether a question asks how long, how much, how old or how many. */
export function asksNumber(question: string): boolean {
  return kinds.some(({ asked }) => asked.test(question.normalize('NFKC')));
}

/** Whether a question asks how much: what answers it tells also that there is something to pay. */
export function asksAmount(question: string): boolean {
  return amounts.asked.test(question.normalize('NFKC'));
}

/** Whether two texts ask for a number of the same kind, or both for a person. */
export function askAlike(question: string, title: string): boolean {
  const [one, other] = [question.normalize('NFKC'), title.normalize('NFKC')];
  return [...kinds.map(({ asked }) => asked), whom].some((asked) => asked.test(one) && asked.test(other));
}

/** Whether a question asks for a person or an office: not "the person who is told". */
export function asksWhom(question: string): boolean {
  return whom.test(question.normalize('NFKC'));
}

const whom = /誰|だれ|\bwhom\b|(?:^|[,.!?] ?)who\b/iu;

/** Whether a question is answered by yes or no: "Do we need to …", …必要がありますか. */
export function asksWhether(question: string): boolean {
  const asking = question.normalize('NFKC').trim();
  return (
    yesOrNo.test(asking) ||
    (/(?:必要|義務|ます|です|でしょう)(?:か|が|は|[?。]|$)/u.test(asking) && !questionWord.test(asking))
  );
}

/** How an English question begins that is answered by yes or no. */
export const yesOrNo =
  /^(?:do|does|did|can|could|may|might|must|should|shall|will|would|is|are|was|were|has|have|had|am)\b/iu;
const questionWord = /[何誰]|いつ|どこ|どう|どの|どれ|いくら|なぜ/u;

/** Whether a text tells such a number of each kind that a question asks for. */
export function tellsNumber(question: string, text: string): boolean {
  const [asking, telling] = [question.normalize('NFKC'), text.normalize('NFKC')];
  return kinds.every(({ asked, told }) => !asked.test(asking) || told.test(telling));
}
