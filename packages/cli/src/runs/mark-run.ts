import { stringifyJson } from '@unroll/engine';
import { ProjectFailure, type RunMarksChange, type Runs } from '@unroll/project';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { RunsSettings } from '../options/record-options.ts';

const changes = {
  tag: (tags) => ({ addTags: required(tags, 'which tags? flow runs tag RUN TAG …') }),
  untag: (tags) => ({ removeTags: required(tags, 'which tags? flow runs untag RUN TAG …') }),
  name: (texts) => ({ name: texts.join(' ') }),
  note: (texts) => ({ note: texts.join(' ') }),
} as const satisfies Readonly<Record<string, (texts: readonly string[]) => RunMarksChange>>;

type MarkAction = keyof typeof changes;

export function isMarkAction(action: string | undefined): action is MarkAction {
  return action !== undefined && Object.hasOwn(changes, action);
}

/** `flow runs tag RUN TAG …` and its like: what is said of a run, which is no part of its record. */
export async function markRun(
  action: MarkAction,
  [run, ...texts]: readonly string[],
  catalog: Runs,
  { json }: RunsSettings,
  io: Io,
): Promise<number> {
  if (run === undefined) throw new ProjectFailure(`which run? flow runs ${action} RUN …`);
  const { id } = await catalog.find(run);
  const { name = null, note = null, tags } = await catalog.mark(run, changes[action](texts));
  if (json) io.stdout.write(`${stringifyJson({ id, name, tags, note }, 2)}\n`);
  else
    io.stdout.write(
      `${[id, name, ...tags.map((tag) => `#${tag}`), note].filter((part) => part !== null).join('  ')}\n`,
    );
  return exitCode.done;
}

function required(texts: readonly string[], question: string): readonly string[] {
  if (texts.length === 0) throw new ProjectFailure(question);
  return texts;
}
