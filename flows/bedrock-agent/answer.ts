import { beforePostProcessing } from '@unroll/nodes/bedrock';
import { agent } from './agent.ts';

export default beforePostProcessing(agent);
