import type { EditedFile, EditedFlow } from '../playground/edited-flow.ts';
import { changedLines } from '../playground/write-change.ts';
import type { Sentence, SentencePart, Verdict } from '../studio-contract/contract.ts';
import { countOf } from '../words/index.ts';
import type { Language } from './lens.ts';
import { figure, name, sentence } from './sentences.ts';

export interface TriedView {
  readonly flow: EditedFlow;
  readonly node: string;
  readonly run: string;
  /** The flow is another one now than when the run was recorded. */
  readonly isOther: boolean;
  readonly language: Language;
}

/** What is changed, what runs, what is taken. */
export function playgroundVerdict({ flow, node, run, isOther, language }: TriedView): Verdict {
  const { files, inputs } = flow;
  const names = Object.keys(inputs);
  const say = sayings[language];
  const changed = [...files.map(say.changedFile), ...(names.length === 0 ? [] : [say.changedInputs(names)])];
  const shared = files.filter(({ nodes }) => nodes.length > 1).map(say.sharedFile);
  const details = [...shared, ...runsAndTaken(flow, run, say), ...(isOther ? [say.otherFlow(run)] : [])];
  return { answer: changed.length > 0 ? changed : [say.unchanged(node)], details, isSoFar: false };
}

interface Sayings {
  unchanged(node: string): Sentence;
  changedFile(file: EditedFile): Sentence;
  changedInputs(names: readonly string[]): Sentence;
  /** Iterations of a loop are made of one file. */
  sharedFile(file: EditedFile): Sentence;
  runsAndTaken(runs: number, taken: readonly string[], run: string): Sentence;
  otherFlow(run: string): Sentence;
}

const english: Sayings = {
  unchanged: (node) => sentence('nothing-changed', 'Nothing is changed: ', name(node), ' would run once more.'),
  changedFile: ({ path, text, edited }) =>
    sentence('changed-file', figure(countOf(changedLines(text, edited), 'line')), ' changed in ', name(path), '.'),
  changedInputs: (names) => sentence('changed-inputs', 'Other inputs: ', ...listed(names, ', '), '.'),
  sharedFile: ({ path, nodes }) =>
    sentence(
      'shared-file',
      name(path),
      ` is the prompt of ${nodes.length} nodes (${nodes.join(', ')}): it holds for each.`,
    ),
  runsAndTaken(runs, taken, run) {
    const verb = runs === 1 ? ' runs' : ' run';
    const start = figure(countOf(runs, 'node'));
    if (taken.length === 0) return sentence('runs-and-taken', start, `${verb}.`);
    const what = taken.length > maxNamed ? [figure(countOf(taken.length, 'node'))] : listed(taken, ', ');
    const isTaken = taken.length === 1 ? ' is taken from ' : ' are taken from ';
    return sentence('runs-and-taken', start, `${verb}, `, ...what, isTaken, name(run, { page: 'run', run }), '.');
  },
  otherFlow: (run) =>
    sentence(
      'other-flow',
      'The flow is another one now than when ',
      name(run),
      ' was recorded: what runs, runs as it is now.',
    ),
};

const japanese: Sayings = {
  unchanged: (node) => sentence('nothing-changed', '変更はありません。', name(node), ' をもう一度実行します。'),
  changedFile: ({ path, text, edited }) =>
    sentence('changed-file', name(path), ' の ', figure(`${changedLines(text, edited)} 行`), 'を変更しています。'),
  changedInputs: (names) => sentence('changed-inputs', '変更した入力：', ...listed(names, '、'), '。'),
  sharedFile: ({ path, nodes }) =>
    sentence(
      'shared-file',
      name(path),
      ` は ${nodes.length} 個のノード（${nodes.join('、')}）に共通のプロンプトで、変更はすべてに効きます。`,
    ),
  runsAndTaken(runs, taken, run) {
    const start = figure(`${runs} 個のノード`);
    if (taken.length === 0) return sentence('runs-and-taken', start, 'を実行します。');
    const what = taken.length > maxNamed ? [figure(`${taken.length} 個のノード`)] : listed(taken, '、');
    const from = name(run, { page: 'run', run });
    return sentence('runs-and-taken', start, 'を実行し、', ...what, ' は ', from, ' の記録を使います。');
  },
  otherFlow: (run) =>
    sentence(
      'other-flow',
      'フローは ',
      name(run),
      ' を記録したときから変わっています。実行されるノードは今の内容で動きます。',
    ),
};

const sayings: Readonly<Record<Language, Sayings>> = { en: english, ja: japanese };

/** Nodes that are named one by one. */
const maxNamed = 3;

function listed(names: readonly string[], between: string): readonly (string | SentencePart)[] {
  return names.flatMap((one, at) => (at === 0 ? [name(one)] : [between, name(one)]));
}

function runsAndTaken({ after: { plan }, nodes }: EditedFlow, run: string, say: Sayings): readonly Sentence[] {
  if (plan === undefined) return [];
  const touched = new Set<number>();
  for (const { id, name: one, dependencies } of plan.nodes) {
    if (nodes.has(one) || dependencies.some((before) => touched.has(before))) touched.add(id);
  }
  const taken = plan.nodes.filter(({ id, aggregation }) => !touched.has(id) && !aggregation);
  return [
    say.runsAndTaken(
      touched.size,
      taken.map((one) => one.name),
      run,
    ),
  ];
}
