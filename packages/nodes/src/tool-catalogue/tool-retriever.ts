import { Bm25fIndex, bestTools } from './bm25f-index.ts';
import type { CatalogueTool } from './catalogue-tool.ts';
import { type Candidate, type Owners, ownersOf, type RankFeatures, readCandidates } from './rank-features.ts';
import { rankWeights } from './rank-weights.ts';

/** How tools are looked up: by BM25F alone, or BM25F put in order by learned weights. */
export type Ranking = 'bm25f' | 'features';

export interface ToolHit {
  readonly tool: CatalogueTool;
  /** Comparable within one answer only. */
  readonly score: number;
}

/** Something that finds tools for a request in words. */
export interface ToolRetriever {
  /** The `count` best tools, best first. */
  find(query: string, count: number): readonly ToolHit[];
}

/** Tools that are put in order by features; those behind keep the order of BM25F. */
const reordered = 50;

/** Finds tools by BM25F over their documentation, the first fifty put in order by what `RankFeatures` sees of them. */
export class FeatureRetriever implements ToolRetriever {
  private readonly tools: readonly CatalogueTool[];
  private readonly index: Bm25fIndex;
  private readonly owners: Owners;
  private readonly ranking: Ranking;

  constructor(tools: readonly CatalogueTool[], ranking: Ranking = 'features') {
    this.tools = tools;
    this.index = new Bm25fIndex(tools);
    this.owners = ownersOf(tools);
    this.ranking = ranking;
  }

  find(query: string, count: number): readonly ToolHit[] {
    const ranked = this.ranking === 'bm25f' ? this.byWords(query, count) : this.byFeatures(query, count);
    return ranked.flatMap(({ tool: at, score }) => {
      const tool = this.tools[at];
      return tool === undefined ? [] : [{ tool, score: Math.round(score * 1e4) / 1e4 }];
    });
  }

  private byWords(query: string, count: number): readonly Place[] {
    const found = this.index.score(this.index.wordsOf(query));
    return bestTools(found, count).map((tool) => ({ tool, score: found.scores[tool] ?? 0 }));
  }

  private byFeatures(query: string, count: number): readonly Place[] {
    const candidates = readCandidates(query, this.index, this.owners, reordered);
    const first = candidates
      .map((candidate) => ({ tool: candidate.tool, score: learnedScore(candidate) }))
      .sort((one, other) => other.score - one.score || one.tool - other.tool);
    if (count <= reordered || first.length < reordered) return first.slice(0, count);
    const last = first.at(-1)?.score ?? 0;
    const rest = this.byWords(query, count).slice(reordered);
    return [...first, ...rest.map(({ tool }, at) => ({ tool, score: last - 1 - at }))];
  }
}

interface Place {
  readonly tool: number;
  readonly score: number;
}

/** `Σ weight · feature`: the order of the probabilities that a logistic regression gives. */
function learnedScore({ features }: Candidate): number {
  let score = 0;
  for (const name of featureNames) score += rankWeights[name] * features[name];
  return score;
}

const featureNames = Object.keys(rankWeights) as readonly (keyof RankFeatures)[];
