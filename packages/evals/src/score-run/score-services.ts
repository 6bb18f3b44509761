import type { Usage } from '@unroll/engine';
import type { EvaluatorServices } from '../evaluators/evaluator.ts';

/** US dollars a node's calls cost; undefined where its model's price is unknown. */
export type NodePrices = (node: string, usage: Usage) => number | undefined;

export interface ScoreServices extends EvaluatorServices {
  readonly priceOf?: NodePrices;
}
