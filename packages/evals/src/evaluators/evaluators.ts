import { contains } from './contains.ts';
import { cost, latency, tokens } from './costs.ts';
import { embeddingSimilarity } from './embedding-similarity.ts';
import { equals, notEquals } from './equals.ts';
import type { Evaluator } from './evaluator.ts';
import { finishedAt } from './finished-at.ts';
import { flowJudge } from './flow-judge.ts';
import { jsonPath } from './json-path.ts';
import { jsonSchema } from './json-schema.ts';
import { number } from './number.ts';
import { pairwiseJudge } from './pairwise-judge.ts';
import { passAllK, passAtK } from './pass-at.ts';
import { quoteInSources } from './quote-in-sources.ts';
import { regex } from './regex.ts';
import { map, mrr, ndcg, ndcgReturnedOnly, precision, recall } from './retrieval.ts';
import { stepsUsed } from './steps-used.ts';
import { bleuEvaluator, chrfEvaluator, rougeLEvaluator, wordF1Evaluator } from './text-likeness.ts';
import { toolCall } from './tool-call.ts';
import { toolCallF1 } from './tool-call-f1.ts';
import { trajectory } from './trajectory.ts';

/** Every evaluator of ours, in the order they are listed. */
export const evaluators: readonly Evaluator[] = [
  equals,
  notEquals,
  contains,
  regex,
  jsonSchema,
  jsonPath,
  number,
  wordF1Evaluator,
  rougeLEvaluator,
  bleuEvaluator,
  chrfEvaluator,
  embeddingSimilarity,
  precision,
  recall,
  mrr,
  map,
  ndcg,
  ndcgReturnedOnly,
  toolCall,
  toolCallF1,
  trajectory,
  stepsUsed,
  finishedAt,
  quoteInSources,
  flowJudge,
  pairwiseJudge,
  passAtK,
  passAllK,
  latency,
  tokens,
  cost,
];
