/** Categories of Bedrock agents' pre-processing: D can be answered, E answers the agent's own question, the others cannot go on. */
type InputCategory = 'A' | 'B' | 'C' | 'D' | 'E';

export interface ParsedCategory {
  readonly isValid: boolean;
  /** The model's `<thinking>`, empty when there is none. */
  readonly rationale: string;
  readonly category: InputCategory | null;
  readonly parseError?: 'NO_CATEGORY' | 'UNKNOWN_CATEGORY';
}

/**
 * Reads the completion of PRE_PROCESSING: the first `<category>` outside `<thinking>` decides, case and spaces aside.
 * None, or an unknown one, is invalid with a parse error, never a crash.
 *
 * @param wasAsked whether the turn before asked the user something: category E is valid only then
 */
export function parseCategory(completion: string, wasAsked = true): ParsedCategory {
  const rationale = /<\s*thinking\s*>([\s\S]*?)<\/\s*thinking\s*>/i.exec(completion)?.[1]?.trim() ?? '';
  const outside = completion.replace(/<\s*thinking\s*>[\s\S]*?<\/\s*thinking\s*>/gi, '');
  const written = /<\s*category\s*>([\s\S]*?)<\/\s*category\s*>/i.exec(outside)?.[1];
  if (written === undefined) return { isValid: false, rationale, category: null, parseError: 'NO_CATEGORY' };
  const category = written.trim().toUpperCase();
  if (!isCategory(category)) return { isValid: false, rationale, category: null, parseError: 'UNKNOWN_CATEGORY' };
  return { isValid: category === 'D' || (category === 'E' && wasAsked), rationale, category };
}

function isCategory(text: string): text is InputCategory {
  return /^[A-E]$/.test(text);
}
