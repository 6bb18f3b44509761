import type { CatalogueTool } from './catalogue-tool.ts';
import { type HashedText, hashText } from './hashed-words.ts';
import type { ToolHit, ToolRetriever } from './tool-retriever.ts';

/**
 * A softmax over tools: one weight vector a tool over hashed words and pairs of words. `scores = W x`, `x` of length 1.
 * Weights lie bucket after bucket, so that a text reads only the rows of its own buckets.
 */
export interface ToolWeights {
  readonly tools: number;
  /** Buckets that words are hashed to. */
  readonly buckets: number;
  /** `[buckets][tools]` */
  readonly weights: Float32Array;
  /** `[buckets]`, how much a bucket tells. */
  readonly rarity: Float32Array;
}

/** Finds tools by what a training on the catalogue has taught; it knows the tools it was trained on and no others. */
export class TrainedRetriever implements ToolRetriever {
  private readonly tools: readonly CatalogueTool[];
  private readonly model: ToolWeights;

  /** @param tools in the order of the training */
  constructor(tools: readonly CatalogueTool[], model: ToolWeights) {
    this.tools = tools;
    this.model = model;
  }

  find(query: string, count: number): readonly ToolHit[] {
    const text = hashText(query, this.model.buckets, this.model.rarity);
    if (text.buckets.length === 0) return [];
    const scores = scoreTools(this.model, text);
    const order = [...scores.keys()].sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || one - other);
    return order.slice(0, count).flatMap((at) => {
      const tool = this.tools[at];
      return tool === undefined ? [] : [{ tool, score: Math.round((scores[at] ?? 0) * 1e4) / 1e4 }];
    });
  }
}

/** `W x` for one text. */
export function scoreTools({ tools, weights }: ToolWeights, { buckets, values }: HashedText): Float64Array {
  const scores = new Float64Array(tools);
  for (const [at, bucket] of buckets.entries()) {
    const value = values[at] ?? 0;
    const row = bucket * tools;
    for (let tool = 0; tool < tools; tool += 1) {
      scores[tool] = (scores[tool] as number) + value * (weights[row + tool] as number);
    }
  }
  return scores;
}
