import type { NodeTypeExtension } from '@unroll/nodes';
import { flexNodeType } from './flex/flex-node-type.ts';
import { customLlmNodeType } from './package-tools/custom-llm-node-type.ts';
import { inspectPackageNode } from './package-tools/inspect-package-node.ts';
import { preparePackage } from './package-tools/prepare-package.ts';
import { promptyNodeType } from './prompty/prompty-node-type.ts';
import { pythonStandIns } from './python/python-modules.ts';

/** Modules of Prompt flow's own tools, which are done here; flows name them in every model node. */
const ownModules =
  /^promptflow\.tools(\.(aoai|openai|embedding|serpapi|azure_content_safety|open_model_llm|aoai_gpt4v|openai_gpt4v|llm|llm_vision|common))?$/;

export interface PromptFlowOptions {
  /** Where SerpAPI answers; its own address where absent. */
  readonly serpApiUrl?: string;
}

/** What flows of Prompt flow may hold beside what any flow may: `nodeTypes({ extensions: [promptFlow()] })`. */
export function promptFlow({ serpApiUrl = 'https://serpapi.com' }: PromptFlowOptions = {}): NodeTypeExtension {
  return (services) => {
    const toolServices = { ...services, serpApiUrl };
    return {
      nodeTypes: [
        promptyNodeType(services.openService, services.asker),
        flexNodeType(),
        customLlmNodeType(toolServices),
      ],
      packageTools: {
        inspect: inspectPackageNode,
        prepare: (node, context) => preparePackage(node, context, toolServices),
        standsInFor: (module) => ownModules.test(module),
      },
      pythonStandIns,
    };
  };
}
