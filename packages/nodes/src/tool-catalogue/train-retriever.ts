import type { DescribedTool } from './catalogue-tool.ts';
import { type HashedText, hashText } from './hashed-words.ts';
import { scoreTools, type ToolWeights } from './trained-retriever.ts';

/** A request with the tools that it needs, by their places in the catalogue. */
export interface TrainingQuery {
  readonly query: string;
  readonly relevant: readonly number[];
}

export interface TrainingOptions {
  /** Passes over the documents, and over the queries. */
  readonly memorise?: number;
  readonly retrieve?: number;
  readonly stepSize?: number;
  /** Places of tools that are learned neither from their documents nor from requests. */
  readonly unseen?: ReadonlySet<number>;
  readonly onProgress?: (progress: TrainingProgress) => void;
}

export interface TrainingProgress {
  readonly stage: 'memorise' | 'retrieve';
  /** From 1. */
  readonly pass: number;
  readonly passes: number;
  /** Mean of the log loss over the pass. */
  readonly loss: number;
}

/** Weights take four bytes; a catalogue whose weights would take more than this cannot be trained. */
const maxWeights = 2 ** 26;
const maxBuckets = 2 ** 15;
export const fewestBuckets = 2 ** 11;

/** Most tools that can be trained on. */
export const maxTrained = maxWeights / fewestBuckets;

/**
 * Trains a retriever in the two stages of ToolGen: first every document is learned by heart (document → tool), then what
 * is asked for with it (query → tool, an example for each tool that a query needs). In ToolGen a language model of eight
 * thousand million parameters learns a token for each tool; here it is one weight vector a tool over hashed words, which is a
 * different and much smaller thing.
 *
 * Softmax regression by stochastic gradient descent, step size falling to a tenth over each stage; examples in an order
 * that is the same every time.
 *
 * Wang and others, ToolGen: Unified Tool Retrieval and Calling via Generation (2025), 3.2 and 3.3.
 *
 * @throws RangeError when there are more than `maxTrained` tools
 */
export function trainRetriever(
  tools: readonly DescribedTool[],
  queries: readonly TrainingQuery[],
  options: TrainingOptions = {},
): ToolWeights {
  const { memorise = 8, retrieve = 3, stepSize = 8, unseen = new Set(), onProgress = () => {} } = options;
  const documents = tools.map(trainingText);
  const model = emptyModel(tools.length, documents);
  const { buckets, rarity } = model;
  const isSeen = ({ tool }: Example): boolean => !unseen.has(tool);
  const learned = documents.map((text, tool) => ({ text: hashText(text, buckets, rarity), tool })).filter(isSeen);
  runStage(model, learned, { stage: 'memorise', passes: memorise, stepSize, onProgress });
  const asked = queries.flatMap(({ query, relevant }) => {
    const text = hashText(query, buckets, rarity);
    return relevant.map((tool) => ({ text, tool })).filter(isSeen);
  });
  if (asked.length > 0) runStage(model, asked, { stage: 'retrieve', passes: retrieve, stepSize, onProgress });
  return model;
}

function trainingText({ own, group, category, description, parameters }: DescribedTool): string {
  const names = Object.keys((parameters['properties'] ?? {}) as object).join(', ');
  return `${group}. ${own}. ${category}. ${description}. ${names}`;
}

/** As many buckets as the memory allows for, a power of two. */
function emptyModel(tools: number, documents: readonly string[]): ToolWeights {
  if (tools > maxTrained) throw new RangeError(`at most ${maxTrained} tools can be trained on, not ${tools}`);
  let buckets = maxBuckets;
  while (buckets > fewestBuckets && buckets * tools > maxWeights) buckets /= 2;
  const holders = new Float32Array(buckets);
  for (const text of documents)
    for (const bucket of hashText(text, buckets).buckets) holders[bucket] = (holders[bucket] ?? 0) + 1;
  const rarity = holders.map((count) => Math.log(1 + tools / (count + 0.5)));
  return { tools, buckets, weights: new Float32Array(buckets * tools), rarity };
}

interface Example {
  readonly text: HashedText;
  readonly tool: number;
}

interface Stage {
  readonly stage: TrainingProgress['stage'];
  readonly passes: number;
  readonly stepSize: number;
  readonly onProgress: (progress: TrainingProgress) => void;
}

function runStage(
  model: ToolWeights,
  examples: readonly Example[],
  { stage, passes, stepSize, onProgress }: Stage,
): void {
  const total = passes * examples.length;
  let done = 0;
  for (let pass = 1; pass <= passes; pass += 1) {
    let loss = 0;
    for (const at of shuffled(examples.length, pass)) {
      const example = examples[at];
      if (example === undefined) continue;
      loss += learn(model, example, stepSize * (1 - (0.9 * done) / total));
      done += 1;
    }
    onProgress({ stage, pass, passes, loss: loss / Math.max(1, examples.length) });
  }
}

/** One step down the gradient of the log loss. @returns the loss before the step */
function learn(model: ToolWeights, { text, tool }: Example, stepSize: number): number {
  const errors = softmax(scoreTools(model, text));
  const loss = -Math.log(Math.max(errors[tool] ?? 0, 1e-12));
  errors[tool] = (errors[tool] ?? 0) - 1;
  const { tools, weights } = model;
  for (const [at, bucket] of text.buckets.entries()) {
    const step = stepSize * (text.values[at] ?? 0);
    const row = bucket * tools;
    for (let other = 0; other < tools; other += 1) {
      weights[row + other] = (weights[row + other] as number) - step * (errors[other] as number);
    }
  }
  return loss;
}

function softmax(scores: Float64Array): Float64Array {
  let highest = -Infinity;
  for (const score of scores) if (score > highest) highest = score;
  let total = 0;
  const shares = scores.map((score) => {
    const share = Math.exp(score - highest);
    total += share;
    return share;
  });
  for (let at = 0; at < shares.length; at += 1) shares[at] = (shares[at] as number) / total;
  return shares;
}

/** The numbers below `count` in an order that hangs on the seed alone (Fisher and Yates). */
function shuffled(count: number, seed: number): readonly number[] {
  const order = Array.from({ length: count }, (_, at) => at);
  let state = seed >>> 0;
  for (let at = count - 1; at > 0; at -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = Math.floor((state / 4_294_967_296) * (at + 1));
    [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
  }
  return order;
}
