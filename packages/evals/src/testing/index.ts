export { agentMade, type MadeMetric, madeResult } from './made-result.ts';
export { randomScores, type ScoreModel } from './random-scores.ts';
