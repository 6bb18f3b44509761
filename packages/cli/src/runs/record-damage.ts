import type { RunDamage } from '@unroll/engine';
import { rowName } from '@unroll/project';
import type { ReaderWords } from '../text/reader-words.ts';

/** What of the records that a command reads is damaged; told once, when the command has ended, which makes its exit code 1. */
export class RecordDamage {
  private readonly files = new Map<string, Map<string, RunDamage>>();

  get isEmpty(): boolean {
    return this.files.size === 0;
  }

  /** @param record as it can be typed */
  add(record: string, damage: RunDamage): void {
    const ofFile = this.files.get(record) ?? new Map<string, RunDamage>();
    this.files.set(record, ofFile);
    const key = damage.row === undefined ? damage.message : rowName(damage.row);
    if (!ofFile.has(key)) ofFile.set(key, damage);
  }

  /** One line a file for its rows, one for whatever else is damaged. */
  text(words: ReaderWords): string {
    return [...this.files].map(([record, found]) => fileText(record, [...found.values()], words)).join('');
  }
}

const maxNamed = 10;

function fileText(record: string, found: readonly RunDamage[], { failure }: ReaderWords): string {
  const rows = found.flatMap(({ row }) => (row === undefined ? [] : [rowName(row)]));
  const others = found.filter(({ row }) => row === undefined).map(({ message }) => message);
  const named = rows.slice(0, maxNamed).join(', ') + (rows.length > maxNamed ? ', …' : '');
  const leftOut =
    rows.length === 1
      ? `1 row of ${record} cannot be read and is left out: ${named}`
      : `${rows.length} rows of ${record} cannot be read and are left out: ${named}`;
  const lines = [...others.slice(0, maxNamed), ...(rows.length === 0 ? [] : [leftOut])].map(
    (line) => `warning: ${failure(line)}\n`,
  );
  return `${lines.join('')}${failure(`flow runs check ${record} tells all that is damaged.`)}\n`;
}
