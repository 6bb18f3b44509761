/** So many runs are read for a list however long that takes; further ones while its time lasts. */
const minRead = 20;

/** How long a list reads runs that are not known yet. */
export class ReadingTime {
  private readonly until: number;
  private runs = 0;

  constructor(ms: number) {
    this.until = performance.now() + ms;
  }

  /** Asked before each run that is to be read. */
  isOver(): boolean {
    this.runs += 1;
    return this.runs > minRead && performance.now() > this.until;
  }
}
