interface NumberKind {
  readonly asked: RegExp;
  readonly told: RegExp;
}

const times: NumberKind = {
  asked:
    /何(?:日|年|[かヶカ箇]月|週間?|時間)|期限|\bhow (?:long|soon|many (?:hours|days|weeks|months|years))\b|\bdeadline\b/iu,
  told: /[\d一二三四五六七八九十](?:日|年|[かヶカ箇]月|週間?|時間)|\b(?:\d+|one|two|three|four|five|six|seven|ten|thirty)[- ](?:(?:business|working|calendar) )?(?:hour|day|week|month|year)s?\b/iu,
};

const amounts: NumberKind = {
  asked:
    /いくら|何円|金額|\bhow much (?:is|are|does|do|can|may|must|will)\b|\bamount\b|\b(?:maximum|highest|minimum|lowest) (?:fine|penalty|fee|price|cost|sum)\b/iu,
  told: /円|ドル|無料|実費|\byen\b|[$€£¥]|\b(?:dollar|euro|pound)s?\b|\bfree\b|\bcost\b/iu,
};

const ages: NumberKind = {
  asked: /何[歳才]|\bhow old\b|\bwhat age\b/iu,
  told: /[歳才]|\byears? (?:of age|old)\b|\bage\b/iu,
};

const kinds = [times, amounts, ages];

/** Whether a question asks how long, how much or how old. */
export function asksNumber(question: string): boolean {
  return kinds.some(({ asked }) => asked.test(question.normalize('NFKC')));
}

/** Whether a text tells such a number of each kind that a question asks for. */
export function tellsNumber(question: string, text: string): boolean {
  const [asking, telling] = [question.normalize('NFKC'), text.normalize('NFKC')];
  return kinds.every(({ asked, told }) => !asked.test(asking) || told.test(telling));
}
