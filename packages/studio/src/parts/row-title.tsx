import { words } from '../words/words.ts';
import { PlainText } from './plain-text.tsx';

export interface RowTitleProps {
  /** Its main input, of one line; empty where nothing was given. */
  readonly title: string;
  readonly line: number;
}

/** What a row is about, its number where it was given nothing. */
export function RowTitle({ title, line }: RowTitleProps) {
  return <PlainText text={title === '' ? `${words.value.row} ${line}` : title} />;
}
