import { finishTurn } from '@unroll/nodes/bedrock';
import { agent } from './agent.ts';

export default finishTurn(agent);
