import { actStep } from '@unroll/nodes/bedrock';
import { openIndex } from '@unroll/nodes/lookup';
import { rooms, weather } from './actions.ts';
import { agent } from './agent.ts';

const rules = openIndex(new URL('knowledge/rules.jsonl', import.meta.url));

/** `lambdaAction({functionName, region})` in place of a function here calls the one on AWS Lambda. */
export default actStep(agent, {
  actions: { weather, rooms },
  knowledgeBases: { OFFICERULES: (query) => rules.search(query, { topK: 3 }) },
});
