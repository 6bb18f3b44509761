import type { EditedFile, EditedFlow } from '../playground/edited-flow.ts';
import { changedLines } from '../playground/write-change.ts';
import type { Sentence, Verdict } from '../studio-contract/contract.ts';
import { count, figure, name, sentence } from './sentences.ts';

export interface TriedView {
  readonly flow: EditedFlow;
  readonly node: string;
  readonly run: string;
  /** The flow is another one now than when the run was recorded. */
  readonly isOther: boolean;
}

/** What is changed, what runs, what is taken. */
export function playgroundVerdict({ flow, node, run, isOther }: TriedView): Verdict {
  const { files, inputs } = flow;
  const names = Object.keys(inputs);
  const isChanged = files.length > 0 || names.length > 0;
  const answer = isChanged ? [...files.map(changedFile), ...changedInputs(names)] : [unchanged(node)];
  const details = [...shared(files), ...runsAndTaken(flow, run), ...(isOther ? [otherFlow(run)] : [])];
  return { answer, details, isSoFar: false };
}

function unchanged(node: string): Sentence {
  return sentence('nothing-changed', 'Nothing is changed: ', name(node), ' would run once more.');
}

function changedFile({ path, text, edited }: EditedFile): Sentence {
  return sentence('changed-file', figure(count(changedLines(text, edited), 'line')), ' changed in ', name(path), '.');
}

function changedInputs(names: readonly string[]): readonly Sentence[] {
  const listed = names.flatMap((one, at) => (at === 0 ? [name(one)] : [', ', name(one)]));
  return names.length === 0 ? [] : [sentence('changed-inputs', 'Other inputs: ', ...listed, '.')];
}

/** Iterations of a loop are made of one file. */
function shared(files: readonly EditedFile[]): readonly Sentence[] {
  return files.flatMap(({ path, nodes }) =>
    nodes.length < 2
      ? []
      : [
          sentence(
            'shared-file',
            name(path),
            ` is the prompt of ${nodes.length} nodes (${nodes.join(', ')}): it holds for each.`,
          ),
        ],
  );
}

function runsAndTaken({ after: { plan }, nodes }: EditedFlow, run: string): readonly Sentence[] {
  if (plan === undefined) return [];
  const touched = new Set<number>();
  for (const { id, name: one, dependencies } of plan.nodes) {
    if (nodes.has(one) || dependencies.some((before) => touched.has(before))) touched.add(id);
  }
  const taken = plan.nodes.filter(({ id, aggregation }) => !touched.has(id) && !aggregation);
  const runs = count(touched.size, 'node');
  const said = sentence('runs-and-taken', figure(runs), touched.size === 1 ? ' runs' : ' run');
  const from = [name(run, { page: 'run', run }), '.'];
  if (taken.length === 0) return [{ ...said, parts: [...said.parts, { text: '.', as: 'text' }] }];
  const what =
    taken.length > 3
      ? [figure(count(taken.length, 'node'))]
      : taken.flatMap(({ name: one }, at) => (at === 0 ? [name(one)] : [', ', name(one)]));
  return [
    sentence(
      'runs-and-taken',
      figure(runs),
      touched.size === 1 ? ' runs, ' : ' run, ',
      ...what,
      taken.length === 1 ? ' is taken from ' : ' are taken from ',
      ...from,
    ),
  ];
}

function otherFlow(run: string): Sentence {
  return sentence(
    'other-flow',
    'The flow is another one now than when ',
    name(run),
    ' was recorded: what runs, runs as it is now.',
  );
}
