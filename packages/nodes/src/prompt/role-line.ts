/**
 * A role alone on its line, `# user:`, with the white space before it. Written so that a run of white space is tried from its first line
 * and from its last, which is enough, where Python's form of it tries every split from every line.
 */
export const roleLine =
  /(?:(?<=^|(?:^|\S)[^\S\n]*\n)\s*|(?<=\n)[^\S\n]*)(?:#\s*)?(system|user|assistant|function|tool)\s*:\s*\n/i;

const everyRoleLine = new RegExp(roleLine, 'gi');
const labels = /\b(?:name|content|tool_call_id|tool_calls)\s*:\s*\n/g;

/** Lines that may be read as a role, or as a label such as `name:`, wherever the text is put. */
export function countRoleLines(text: string): number {
  const line = `\n${text}\n`;
  return (line.match(everyRoleLine)?.length ?? 0) + (line.match(labels)?.length ?? 0);
}
