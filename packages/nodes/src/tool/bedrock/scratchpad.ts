import { withoutTags } from './prompt-template.ts';
import type { ScratchpadStep } from './turn-state.ts';

const opening = '<scratchpad> I use no functions but those that have been given to me.';

/**
 * The text that the model's next completion goes on from: an opened scratchpad, then each step so far. Results stand
 * as they came, but for tags of the protocol, which they cannot open.
 */
export function scratchpadText(steps: readonly ScratchpadStep[]): string {
  return [opening, ...steps.map(stepText)].join('\n');
}

function stepText(step: ScratchpadStep, at: number): string {
  if (step.kind === 'reprompt') return `${step.completion.trim()}\n<error>\n${step.message}\n</error>`;
  const thought = at === 0 ? `${step.rationale}\n</scratchpad>` : `<scratchpad>\n${step.rationale}\n</scratchpad>`;
  return [
    ...(step.rationale === '' && at > 0 ? [] : [thought]),
    `<function_call>${step.call}</function_call>`,
    `<${step.tag}>\n${withoutTags(step.result)}\n</${step.tag}>`,
  ].join('\n');
}

/** A call as the scratchpad shows it: the name in lower case, every value in quotes. */
export function callText(name: string, args: Readonly<Record<string, string>>): string {
  const given = Object.entries(args).map(([key, value]) => `${key}="${escaped(value)}"`);
  return `${name.toLowerCase()}(${given.join(', ')})`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}
