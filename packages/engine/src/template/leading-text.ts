import type { Statement } from './ast.ts';

/** The text that each rendering begins with, whatever its values are. */
export interface LeadingText {
  readonly text: string;
  /** Whether nothing comes behind it. */
  readonly isWhole: boolean;
  /** Where in the template its first part that is not blank begins; 0 where there is none. */
  readonly start: number;
}

export function leadingText(body: readonly Statement[]): LeadingText {
  let text = '';
  let start = 0;
  for (const statement of body) {
    if (printsNothing.has(statement.typename)) continue;
    if (statement.typename !== 'TemplateData') return { text, isWhole: false, start };
    if (text.trim() === '') ({ start } = statement);
    text += statement.value;
  }
  return { text, isWhole: true, start };
}

/** Those that may fail are told elsewhere. */
const printsNothing: ReadonlySet<Statement['typename']> = new Set(['Set', 'Capture', 'Macro']);
