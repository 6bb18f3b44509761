import { readFileSync } from 'node:fs';
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
  /** Doubted: quoted is what does not answer, and said that it may not. */
  readonly verdict: 'sensible' | 'nothing found' | 'doubted' | 'wrong';
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
      asked.push(judged(question, await answerOf(flow, question.question)));
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

function shortfallOf(answer: string): 'nothing found' | 'doubted' | 'wrong' {
  if (findsNothing.test(answer)) return 'nothing found';
  return doubts.test(answer) ? 'doubted' : 'wrong';
}

function judged(question: Question, answer: string): AskedQuestion {
  const isSensible =
    question.nothing === true
      ? findsNothing.test(answer)
      : (question.contains ?? []).every((choices) => choices.some((one) => answer.includes(one)));
  return { ...question, answer, verdict: isSensible ? 'sensible' : shortfallOf(answer) };
}
