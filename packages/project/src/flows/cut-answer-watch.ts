import type { NodeRun, Plan } from '@unroll/engine';
import { cutAnswerText, emptyAnswerText } from '@unroll/nodes';
import { notify, type ProjectHost } from '../host/project-host.ts';
import type { AnswerWatch } from './answer-watch.ts';

/** What cut an answer off, in OpenAI's words; undefined where it is whole as far as is known. */
export function whatCut({ warnings = [] }: NodeRun): 'length' | 'content_filter' | undefined {
  const told = warnings.find((text) => text.startsWith(cutAnswerText) || text.startsWith(emptyAnswerText));
  if (told?.includes('(finish_reason: content_filter)') === true) return 'content_filter';
  return told?.startsWith(cutAnswerText) === true || told?.includes('(finish_reason: length)') === true
    ? 'length'
    : undefined;
}

/** Counts answers that a limit or a filter cut off, and those without text: what follows takes them for whole answers. */
export function watchCutAnswers(plan: Plan): AnswerWatch {
  const families = new Map(plan.nodes.map(({ name, instance }) => [name, instance?.family ?? name] as const));
  const cut = new Map<string, { readonly text: string; times: number }>();
  return {
    nodeEnded({ node, warnings = [] }: NodeRun) {
      for (const text of warnings) {
        if (!text.startsWith(cutAnswerText) && !text.startsWith(emptyAnswerText)) continue;
        const key = `${families.get(node) ?? node}: ${text}`;
        const seen = cut.get(key) ?? { text: key, times: 0 };
        seen.times += 1;
        cut.set(key, seen);
      }
    },
    tell(host: Pick<ProjectHost, 'report'>) {
      for (const { text, times } of cut.values()) {
        notify(host, { kind: 'warning', message: times === 1 ? text : `${text}, ${times} times` });
      }
    },
  };
}
