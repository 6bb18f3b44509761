import { testPromptFlowCases } from '@unroll/promptflow/testing';

testPromptFlowCases(import.meta.dirname);
