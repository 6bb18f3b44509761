export { agentMade, type MadeMetric, madeResult } from './made-result.ts';
export { randomScores, type ScoreModel, type Spread } from './random-scores.ts';
