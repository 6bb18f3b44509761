import { testPromptFlowCases } from '@unroll/promptflow/testing';

/** Why an address was not asked, which Prompt flow does not say (docs/deviations.md). */
const ownReason = ' (it leads to no address of the public internet)';

testPromptFlowCases(import.meta.dirname, ownReason);
