import { KnownValues } from './known-values.ts';
import { rowNumber } from './row-digests.ts';

/**
 * The values of rows that are being recorded. Only of rows recorded from their first node on by this process: a record
 * that turns out to be there already must not be referred to.
 */
export class OpenRows {
  private readonly isRecorded: (line: number, repeat: number) => boolean;
  private readonly rows = new Map<number, KnownValues | undefined>();
  private highestEnded: number;

  /**
   * @param isRecorded whether anything of a row is recorded
   * @param nextLine rows from here on are new
   */
  constructor(isRecorded: (line: number, repeat: number) => boolean, nextLine: number) {
    this.isRecorded = isRecorded;
    this.highestEnded = rowNumber(nextLine, 0) - 1;
  }

  /** Values of a row; undefined where nothing may be referred to. */
  of(line: number, repeat: number): KnownValues | undefined {
    const place = rowNumber(line, repeat);
    if (this.rows.has(place)) return this.rows.get(place);
    const isNew = place > this.highestEnded || !this.isRecorded(line, repeat);
    const known = isNew ? new KnownValues() : undefined;
    this.rows.set(place, known);
    return known;
  }

  end(line: number, repeat: number): void {
    const place = rowNumber(line, repeat);
    this.rows.delete(place);
    this.highestEnded = Math.max(this.highestEnded, place);
  }
}
