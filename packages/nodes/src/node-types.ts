import { type NodeType, Redactor } from '@unroll/engine';
import { offerToolsNodeType, toolsNodeType } from './agent/index.ts';
import { flexNodeType } from './flex/flex-node-type.ts';
import { ModelAsker } from './llm/ask-model.ts';
import { type OpenService, openOnce } from './llm/find-service.ts';
import { llmNodeType } from './llm/llm-node-type.ts';
import { type Clock, ModelGates, systemClock } from './llm/model-gate.ts';
import { openModelService } from './llm/open-model-service.ts';
import { redactedServices } from './llm/redacted-services.ts';
import { lookupNodeType } from './lookup/index.ts';
import { customLlmNodeType } from './package-tools/custom-llm-node-type.ts';
import { preparePackage } from './package-tools/prepare-package.ts';
import { promptNodeType } from './prompt/prompt-node-type.ts';
import { promptyNodeType } from './prompty/prompty-node-type.ts';
import { pythonNodeType } from './python/python-node-type.ts';
import { toolCallNodeType, toolLookupNodeType } from './tool-catalogue/index.ts';

export interface NodeTypeOptions {
  readonly openService: OpenService;
  readonly clock: Clock;
  /** What holds back calls of models. */
  readonly gates: ModelGates;
  /** Takes secrets out of what models say; one of its own where absent. */
  readonly redactor: Redactor;
  /** Where SerpAPI answers; its own address where absent. */
  readonly serpApiUrl: string;
}

/** The node types there are, by the name a flow writes. */
export function nodeTypes(options: Partial<NodeTypeOptions> = {}): ReadonlyMap<string, NodeType> {
  const { clock = systemClock, gates = new ModelGates(), serpApiUrl = 'https://serpapi.com' } = options;
  const { redactor = new Redactor() } = options;
  const openService = openOnce(redactedServices(options.openService ?? openModelService, redactor));
  const asker = new ModelAsker(clock, gates);
  const services = { openService, asker, serpApiUrl, sleep: clock.sleep };
  const types = [
    llmNodeType(openService, asker),
    promptNodeType,
    promptyNodeType(openService, asker),
    pythonNodeType({ preparePackage: (node, context) => preparePackage(node, context, services, {}) }),
    flexNodeType(),
    customLlmNodeType(services),
    lookupNodeType({ openService, clock }),
    toolLookupNodeType(),
    toolCallNodeType(),
    offerToolsNodeType,
    toolsNodeType,
  ];
  return new Map(types.map((type) => [type.name, type]));
}
