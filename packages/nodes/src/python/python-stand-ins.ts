import { type InstalledContext, type NodeType, ScopeSlot } from '@unroll/engine';

/** Python modules in the place of a package that a flow imports and that need not be installed. */
export interface PythonStandIn {
  /** Absolute; looked in last, where the package is not installed. Its files are none of the user's. */
  readonly folder: string;
  /** A folder of the package by which it is known to be installed: `promptflow/_core`. */
  readonly unless: string;
}

const standInsOfFlow = new ScopeSlot<readonly PythonStandIn[]>('Python stand-ins');

/** The node type, whose nodes' Python finds these modules. */
export function withPythonStandIns(type: NodeType, standIns: readonly PythonStandIn[]): NodeType {
  const { begin, importModules, checkInstalled } = type;
  return {
    ...type,
    ...(begin === undefined ? {} : { begin: (node, context) => begin(node, givePythonStandIns(context, standIns)) }),
    ...(importModules === undefined
      ? {}
      : { importModules: (modules, context) => importModules(modules, givePythonStandIns(context, standIns)) }),
    ...(checkInstalled === undefined
      ? {}
      : { checkInstalled: (nodes, context) => checkInstalled(nodes, givePythonStandIns(context, standIns)) }),
    prepare: (node, context) => type.prepare(node, givePythonStandIns(context, standIns)),
  };
}

/** Of a flow the first that are given count. */
export function givePythonStandIns<Context extends Pick<InstalledContext, 'flow'>>(
  context: Context,
  standIns: readonly PythonStandIn[],
): Context {
  context.flow.kept(standInsOfFlow, () => standIns);
  return context;
}

/** What the workers of a flow are started with. */
export function pythonStandInsOf({ flow }: Pick<InstalledContext, 'flow'>): readonly PythonStandIn[] {
  return flow.kept(standInsOfFlow, () => []);
}
