/**
 * A role alone on its line, `# user:`. Written so that a run of white space is tried once from each place, where Python's
 * form of it tries every split.
 */
export const roleLine = /(?<![^\n])\s*(?:#\s*)?(system|user|assistant|function|tool)\s*:\s*\n/i;

const everyRoleLine = new RegExp(roleLine, 'gi');
const labels = /\b(?:name|content|tool_call_id|tool_calls)\s*:\s*\n/g;

/** Lines that may be read as a role, or as a label such as `name:`, wherever the text is put. */
export function countRoleLines(text: string): number {
  const line = `\n${text}\n`;
  return (line.match(everyRoleLine)?.length ?? 0) + (line.match(labels)?.length ?? 0);
}
