import { beginOrchestration } from '@unroll/nodes/bedrock';
import { agent } from './agent.ts';

export default beginOrchestration(agent);
