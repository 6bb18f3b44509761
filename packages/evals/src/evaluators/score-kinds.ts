type Warn = (message: string) => void;

/** Whether who scores gives numbers, or true and false; told once where it gives both. */
export class ScoreKinds {
  private readonly seen = new Set<'truth' | 'number'>();
  private readonly who: string;
  private readonly warn: Warn | undefined;

  constructor(who: string, warn?: Warn) {
    this.who = who;
    this.warn = warn;
  }

  add(isTruth: boolean, line: number): void {
    const before = this.seen.size;
    if (this.seen.add(isTruth ? 'truth' : 'number').size === 1 || before !== 1) return;
    const [here, other] = isTruth ? ['true or false', 'a number'] : ['a number', 'true or false'];
    this.warn?.(
      `${this.who} gave ${here} for row ${line} and ${other} for another: the mean takes true as 1 and false as 0`,
    );
  }

  /** Known once rows were scored. */
  get areTruths(): boolean {
    return this.seen.size === 1 && this.seen.has('truth');
  }
}
