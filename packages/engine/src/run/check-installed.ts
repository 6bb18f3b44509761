import type { InspectedNode, InstalledContext } from '../node/node-type.ts';
import { ScopeSlots } from '../node/scope-slots.ts';
import type { FlowCheck } from '../plan/check-flow.ts';
import { oncePerMessage } from '../plan/once-each.ts';
import type { Plan } from '../plan/plan.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { environmentTexts, resolveEnvironment } from './environment-variables.ts';
import type { Includes } from './included-files.ts';
import type { PrepareOptions } from './prepare-options.ts';
import { stageFlow } from './stage-flow.ts';

export type CheckInstalledOptions = Pick<
  PrepareOptions,
  'nodeTypes' | 'connections' | 'environment' | 'files' | 'only'
> & {
  readonly includes: Includes;
};

/**
 * What keeps the nodes of a checked flow from being made ready on this machine, such as a package that is not installed. Starts
 * the programs that would run the nodes, and runs none of the user's code; nothing is told of a flow without a plan.
 */
export async function checkInstalled(
  { plan, inspections }: FlowCheck,
  options: CheckInstalledOptions,
): Promise<readonly Diagnostic[]> {
  const { nodeTypes, includes, files } = options;
  const asked = [...nodeTypes.values()].filter((type) => type.checkInstalled !== undefined);
  const environment = plan === undefined ? undefined : environmentOf(plan, options);
  if (plan === undefined || environment === undefined || asked.length === 0) return [];
  const nodes = inspectedNodes(plan, inspections, options.only);
  const isLaidOut = includes.files.size + includes.archives.size > 0;
  using copy = isLaidOut ? stageFlow(files, includes) : undefined;
  const context: InstalledContext = {
    flow: new ScopeSlots(),
    files: copy?.files ?? files,
    environment,
    connections: options.connections,
    isStandard: plan.isStandard,
    ...(plan.modules === undefined ? {} : { modules: plan.modules }),
  };
  const diagnostics = await Promise.all(asked.map((type) => type.checkInstalled?.(nodes, context) ?? []));
  return oncePerMessage(diagnostics.flat());
}

function inspectedNodes(
  plan: Plan,
  inspections: FlowCheck['inspections'],
  only: PrepareOptions['only'],
): readonly InspectedNode[] {
  return plan.nodes.flatMap(({ name, definition }) => {
    const inspection = inspections.get(name);
    return inspection === undefined || only?.has(name) === false ? [] : [{ definition, inspection }];
  });
}

/** undefined where a variable names a connection that there is not, which is told elsewhere. */
function environmentOf(
  plan: Plan,
  { environment, connections }: CheckInstalledOptions,
): Readonly<Record<string, string>> | undefined {
  const resolved = resolveEnvironment({ ...environmentTexts(plan.environmentVariables), ...environment }, connections);
  return resolved.ok ? resolved.values : undefined;
}
