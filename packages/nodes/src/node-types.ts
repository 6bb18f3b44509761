import { type NodeType, Redactor } from '@unroll/engine';
import { offerToolsNodeType, toolsNodeType } from './agent/index.ts';
import { ModelAsker } from './llm/ask-model.ts';
import { type Clock, ConcurrencyLimiters, systemClock } from './llm/concurrency-limiter.ts';
import { type OpenService, openOnce } from './llm/find-service.ts';
import { llmNodeType } from './llm/llm-node-type.ts';
import { namedProviders } from './llm/named-providers.ts';
import { openModelService } from './llm/open-model-service.ts';
import { redactedServices } from './llm/redacted-services.ts';
import { lookupNodeType } from './lookup/lookup-node-type.ts';
import type { NodeTypeExtension } from './node-type-extension.ts';
import { promptNodeType } from './prompt/prompt-node-type.ts';
import { pythonNodeType } from './python/python-node-type.ts';
import { withPythonStandIns } from './python/python-stand-ins.ts';
import { toolCallNodeType, toolLookupNodeType } from './tool-catalogue/index.ts';

export interface NodeTypeOptions {
  readonly openService: OpenService;
  /** Whether models are asked; false where a recording answers. */
  readonly asksModels: boolean;
  readonly clock: Clock;
  /** What holds back calls of models. */
  readonly gates: ConcurrencyLimiters;
  /** Takes secrets out of what models say; one of its own where absent. */
  readonly redactor: Redactor;
  /** What other packages add. A node type with the name of an earlier one takes its place; the last package tools are taken. */
  readonly extensions: readonly NodeTypeExtension[];
}

/** The node types there are, by the name a flow writes. */
export function nodeTypes(options: Partial<NodeTypeOptions> = {}): ReadonlyMap<string, NodeType> {
  const {
    clock = systemClock,
    gates = new ConcurrencyLimiters(),
    extensions = [],
    redactor = new Redactor(),
  } = options;
  const openService = openOnce(namedProviders(redactedServices(options.openService ?? openModelService, redactor)));
  const asker = new ModelAsker(clock, gates);
  const added = extensions.map((extension) => extension({ openService, asker, sleep: clock.sleep }));
  const packageTools = added.findLast((one) => one.packageTools !== undefined)?.packageTools;
  const types = [
    llmNodeType(openService, asker, options.asksModels),
    promptNodeType,
    pythonNodeType(packageTools === undefined ? {} : { packageTools }),
    lookupNodeType({ openService, clock }),
    toolLookupNodeType(),
    toolCallNodeType(),
    offerToolsNodeType,
    toolsNodeType,
    ...added.flatMap((one) => one.nodeTypes),
  ];
  const standIns = added.flatMap((one) => one.pythonStandIns ?? []);
  return new Map(types.map((type) => [type.name, withPythonStandIns(type, standIns)]));
}
