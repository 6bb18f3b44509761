import type { Diagnostic } from '@unroll/engine';
import type { PromptTemplate } from '../prompt/prompt-template.ts';
import { parseChat, roles } from './parse-chat.ts';

/**
 * What keeps every rendering of a chat template from being read as messages, as far as its own text makes it certain, or all of it;
 * and which values may open a message.
 */
export function checkRoles(opened: PromptTemplate, rendered?: string): readonly Diagnostic[] {
  return [...formMistakes(opened, rendered), ...openingValues(opened)];
}

/** `{{ title }}:` alone on a line begins a message of the system where the title is `system`; `{{ turn.role }}:` is meant to. */
function openingValues({ file, template }: PromptTemplate): readonly Diagnostic[] {
  const begin = template.leading.start;
  const lines = file.text.slice(begin).matchAll(/^[^\S\n]*(?:#\s*)?(\{\{-?([^{}\n]*?)-?\}\})[^\S\n]*:[^\S\n]*$/dgm);
  return [...lines].flatMap(({ 1: written = '', 2: value = '', indices }): readonly Diagnostic[] => {
    if (/role/i.test(value)) return [];
    const [start, end] = indices?.[1] ?? [0, 0];
    return [
      {
        severity: 'warning',
        code: 'TEMPLATE_ROLE',
        message: `${written} begins a message where its value is \`system\` or another role`,
        help: 'put a text before it on its line: `- ` or a word',
        span: { file, start: begin + start, end: begin + end },
        allowsRun: true,
      },
    ];
  });
}

function formMistakes({ file, template }: PromptTemplate, rendered?: string): readonly Diagnostic[] {
  const { start, ...leading } = template.leading;
  const { text, isWhole } = rendered === undefined ? leading : { text: rendered, isWhole: true };
  const mistake = isWhole ? wholeMistake(text) : beginsWithText(text) ? noRole : undefined;
  if (mistake === undefined) return [];
  const { line: pattern, ...words } = mistake;
  const line = pattern.exec(text)?.[0].trimEnd() ?? '';
  const at = Math.max(file.text.indexOf(line, start), 0);
  const span = { file, start: at, end: at + line.length };
  return [{ severity: 'error', code: 'TEMPLATE_ROLE', ...words, span, allowsRun: true }];
}

interface RoleMistake extends Pick<Diagnostic, 'message' | 'help'> {
  /** Finds the line that it is about. */
  readonly line: RegExp;
}

const noRole: RoleMistake = {
  line: /\S.*/,
  message: 'the template of a chat begins with text and not with a role',
  help: 'put a line such as `system:` or `user:` above it; a prompt that is no chat has `api: completion`',
};

/** Whether its first line is one that nothing behind it can make a role of. */
function beginsWithText(text: string): boolean {
  const [line, begun = ''] = /^#?\s*(.*)/.exec(text.trimStart().split('\n', 1)[0] ?? '') ?? [''];
  if (line === '') return false;
  const written = begun.toLowerCase();
  return !roles.some((role) => role.startsWith(written) || /^\s*:?\s*$/.test(afterRole(written, role)));
}

function afterRole(written: string, role: string): string {
  return written.startsWith(role) ? written.slice(role.length) : written;
}

function wholeMistake(text: string): RoleMistake | undefined {
  const read = parseChat(text);
  if (read.ok) return undefined;
  const of = /^ChatAPI(Function|Tool)Role/.exec(read.error.code)?.[1]?.toLowerCase();
  if (of === undefined) return noRole;
  const first = of === 'tool' ? 'tool_call_id' : 'name';
  return {
    line: new RegExp(`^#?[^\\S\\n]*${of}\\s*:`, 'im'),
    message: `a ${of} message begins with \`${first}:\` and \`content:\`, each on a line of its own`,
    help: `${of}:, ${first}:, its value, content:, and the text, each on a line`,
  };
}
