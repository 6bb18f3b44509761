import { startTurn } from '@unroll/nodes/bedrock';
import { agent } from './agent.ts';

export default startTurn(agent);
