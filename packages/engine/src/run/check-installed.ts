import type { InstalledContext } from '../node/node-type.ts';
import { ScopeSlots } from '../node/scope-slots.ts';
import type { FlowCheck, FlowToLoad } from '../plan/check-flow.ts';
import { oncePerMessage } from '../plan/once-each.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { environmentTexts, resolveEnvironment } from './environment-variables.ts';
import type { Includes } from './included-files.ts';
import type { PrepareOptions } from './prepare-options.ts';
import { stageFlow } from './stage-flow.ts';

export type CheckInstalledOptions = Pick<PrepareOptions, 'nodeTypes' | 'connections' | 'environment' | 'files'> & {
  readonly includes: Includes;
};

/**
 * What keeps the nodes of a checked flow from being made ready on this machine, such as a package that is not installed. Starts
 * the programs that would run the nodes, and runs none of the user's code.
 */
export async function checkInstalled(
  { toLoad }: FlowCheck,
  options: CheckInstalledOptions,
): Promise<readonly Diagnostic[]> {
  const { nodeTypes, includes, files } = options;
  const asked = [...nodeTypes.values()].filter((type) => type.checkInstalled !== undefined);
  const environment = toLoad === undefined ? undefined : environmentOf(toLoad, options);
  if (toLoad === undefined || environment === undefined || asked.length === 0) return [];
  const isLaidOut = includes.files.size + includes.archives.size > 0;
  using copy = isLaidOut ? stageFlow(files, includes) : undefined;
  const { nodes, isStandard, modules } = toLoad;
  const context: InstalledContext = {
    flow: new ScopeSlots(),
    files: copy?.files ?? files,
    environment,
    connections: options.connections,
    isStandard,
    modules,
  };
  const diagnostics = await Promise.all(asked.map((type) => type.checkInstalled?.(nodes, context) ?? []));
  return oncePerMessage(diagnostics.flat());
}

/** undefined where a variable names a connection that there is not, which is told elsewhere. */
function environmentOf(
  { environmentVariables }: FlowToLoad,
  { environment, connections }: CheckInstalledOptions,
): Readonly<Record<string, string>> | undefined {
  const resolved = resolveEnvironment({ ...environmentTexts(environmentVariables), ...environment }, connections);
  return resolved.ok ? resolved.values : undefined;
}
