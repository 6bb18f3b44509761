import { parseStep } from '@unroll/nodes/bedrock';
import { agent } from './agent.ts';

export default parseStep(agent);
