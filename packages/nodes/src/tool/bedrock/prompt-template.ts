import type { PromptType } from './prompt-type.ts';

/** Texts of the speakers, empty where one says nothing. */
export interface FilledPrompt {
  readonly system: string;
  readonly user: string;
  /** What the model's answer goes on from. */
  readonly assistant: string;
}

/** What a model is sent in one step, and which step that is. */
export interface StepPrompt extends FilledPrompt {
  readonly type: PromptType;
  readonly creation_mode: 'DEFAULT' | 'OVERRIDDEN';
  readonly parser_mode: 'DEFAULT' | 'OVERRIDDEN';
}

/**
 * Fills a prompt template of Agents for Amazon Bedrock. Who speaks is told by the template's own lines `Human:` (once)
 * and `Assistant:` (the last one), before anything is filled in; what stands before `Human:` is the system's. Then
 * every `$placeholder$` is filled in one pass: a value that looks like a placeholder, or like a speaker's line, stays as
 * it is. A placeholder without a value stays as it is written.
 */
export function fillPrompt(template: string, values: Readonly<Record<string, string>>): FilledPrompt {
  const [, before = '', rest = template] = /^([\s\S]*?)^[ \t]*Human:([\s\S]*)$/m.exec(template) ?? [];
  const [, user = rest, assistant = ''] = /^([\s\S]*)^[ \t]*Assistant:([\s\S]*)$/m.exec(rest) ?? [];
  const fill = (text: string): string => fillPlaceholders(text.trim(), values);
  return { system: fill(before), user: fill(user), assistant: fill(assistant) };
}

function fillPlaceholders(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(
    placeholder,
    (written, name: string) => (Object.hasOwn(values, name) ? values[name] : written) ?? '',
  );
}

/** The prompt as one text, as the trace shows it. */
export function promptText({ system, user, assistant }: FilledPrompt): string {
  const parts = [system, `Human: ${user}`, `Assistant: ${assistant}`];
  return parts.filter((part) => part !== '').join('\n\n');
}

const placeholder = /\$([a-z][a-z0-9_]*)\$/g;

/**
 * Text from outside (users, functions, documents) as it may stand in a prompt: tags of the protocol are shown, not
 * opened. Other markup, such as HTML, stays as it is.
 */
export function withoutTags(text: string): string {
  return text.replace(protocolTag, (tag) => `&lt;${tag.slice(1)}`);
}

const protocolTag =
  /<\s*(?:\/\s*)?(?:function_calls?|function_results?|functions?|function_name|error|answer|answer_part|scratchpad|thinking|category|final_response|question|conversation_history|search_results?|sources?|invoke|tool_name)\b[^<>]*>/giu;
