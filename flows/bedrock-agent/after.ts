import { afterOrchestration } from '@unroll/nodes/bedrock';
import { agent } from './agent.ts';

export default afterOrchestration(agent);
