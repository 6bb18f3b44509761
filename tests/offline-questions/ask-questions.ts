import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFlow, type RunnableFlow } from '@unroll/engine';
import { connectionSource, nodeTypes } from '@unroll/nodes';
import { promptFlow } from '@unroll/promptflow';

/** A question to a sample in flows/, as a newcomer may ask it, and what a sensible answer holds. */
interface Question {
  readonly flow: string;
  readonly question: string;
  /** Of each of these one: the source it must quote, the number it must tell. */
  readonly contains?: readonly (readonly string[])[];
  /** The sources of the flow do not speak of it: the answer says so. */
  readonly nothing?: true;
}

export interface AskedQuestion extends Question {
  readonly answer: string;
  /** Source named: nothing was found, and the source that holds it is named as the nearest. Doubted: quoted is what does not answer, and said that it may not. */
  readonly verdict: 'sensible' | 'source named' | 'nothing found' | 'doubted' | 'wrong';
}

const flows = join(import.meta.dirname, '../../flows');

/** Asks all questions of a file, in its order; the stand-in answers. */
export async function askQuestions(file: string): Promise<readonly AskedQuestion[]> {
  const lines = readFileSync(join(import.meta.dirname, file), 'utf8')
    .trim()
    .split('\n');
  const questions = lines.map((line) => JSON.parse(line) as Question);
  const opened = new Map<string, RunnableFlow>();
  try {
    const asked: AskedQuestion[] = [];
    for (const question of questions) {
      const flow = opened.get(question.flow) ?? (await open(question.flow));
      opened.set(question.flow, flow);
      const answer = await answerOf(flow, question.question);
      asked.push({ ...question, answer, verdict: verdictOf(question, answer) });
    }
    return asked;
  } finally {
    for (const flow of opened.values()) await flow[Symbol.asyncDispose]();
  }
}

async function open(name: string): Promise<RunnableFlow> {
  const folder = join(flows, name);
  const connections = connectionSource({ folders: [folder], environment: {} });
  const types = nodeTypes({ extensions: [promptFlow()] });
  const { flow } = await openFlow({ file: join(folder, 'flow.dag.yaml'), folder }, { nodeTypes: types, connections });
  if (flow === undefined) throw new Error(`${name} cannot be opened`);
  return flow;
}

/** Inputs that a flow does not have are left aside by it. What is no answer is shown whole. */
async function answerOf(flow: RunnableFlow, question: string): Promise<string> {
  const { row } = await flow.runRow({ query: question, question });
  const { answer } = row.outputs;
  return typeof answer === 'string' ? answer : JSON.stringify(row.outputs);
}

const findsNothing = /見つかりませんでした|Nothing (?:that answers|was found)/u;

const doubts = /最も近い記載です|This is the nearest that was found/u;

function verdictOf({ flow, nothing, contains = [] }: Question, answer: string): AskedQuestion['verdict'] {
  const holds = (isIn: (one: string) => boolean): boolean => contains.every((choices) => choices.some(isIn));
  const isNothing = findsNothing.test(answer);
  if (nothing === true ? isNothing : holds((one) => answer.includes(one))) return 'sensible';
  if (isNothing) return holds((one) => namesTitle(flow, one, answer)) ? 'source named' : 'nothing found';
  return doubts.test(answer) ? 'doubted' : 'wrong';
}

function namesTitle(flow: string, id: string, answer: string): boolean {
  const entry = knowledgeOf(flow).find((one) => one.id === id);
  return entry !== undefined && [entry.title, entry.title_en].some((title) => answer.includes(title));
}

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly title_en: string;
}

function knowledgeOf(flow: string): readonly Entry[] {
  const folder = join(flows, flow, 'knowledge');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as Entry);
}
