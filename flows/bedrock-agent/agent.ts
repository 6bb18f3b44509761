import { loadAgent } from '@unroll/nodes/bedrock';

/** The agent that agent.yaml describes. */
export const agent = loadAgent(new URL('agent.yaml', import.meta.url));
