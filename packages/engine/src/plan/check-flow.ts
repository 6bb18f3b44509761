import type { FlowSpec } from '../flow/flow-spec.ts';
import type { ConnectionSource } from '../node/connection-source.ts';
import type { NodeInspection } from '../node/node-inspection.ts';
import type { FlowFiles, InspectedNode, NodeType } from '../node/node-type.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { SourceFile } from '../source/source-file.ts';
import { applyVariants, type VariedFlow } from './apply-variants.ts';
import { bindReferences } from './bind-references.ts';
import { checkConditions } from './check-conditions.ts';
import { checkConnectionDoubts } from './check-connection-doubts.ts';
import { checkConnectionInputs } from './check-connection-inputs.ts';
import { checkConnectionTypes } from './check-connection-types.ts';
import { checkConnections, usableConnections } from './check-connections.ts';
import { checkEnvironment } from './check-environment.ts';
import { checkFallbacks } from './check-fallbacks.ts';
import { checkFiles } from './check-files.ts';
import { checkFunctions } from './check-functions.ts';
import { checkPackages } from './check-packages.ts';
import { checkProperties } from './check-properties.ts';
import { checkReachability } from './check-reachability.ts';
import { checkRequiredParameters } from './check-required-parameters.ts';
import { checkRequirements } from './check-requirements.ts';
import { checkTemplateInputs } from './check-template-inputs.ts';
import { checkTypes } from './check-types.ts';
import type { CheckedNode } from './checked-node.ts';
import { nodePlace } from './checked-node.ts';
import { inspectNodes } from './inspect-nodes.ts';
import { namedModules } from './named-modules.ts';
import { checkTemplateNamed, mistakesAlone, narrowTo } from './narrow-to-nodes.ts';
import { oncePerMessage } from './once-each.ts';
import { type ConnectionOverride, overrideConnections } from './override-connections.ts';
import { parseDefinition } from './parse-definition.ts';
import type { Plan } from './plan.ts';
import { readOnce } from './read-once.ts';
import { withTextParameters } from './text-parameters.ts';
import { unrollFlow } from './unroll-flow.ts';

export interface CheckFlowOptions {
  readonly nodeTypes: ReadonlyMap<string, NodeType>;
  readonly files: FlowFiles;
  readonly connections: ConnectionSource;
  /** Variables given for this run, which win over the flow's own. */
  readonly environment?: Readonly<Record<string, string>>;
  /** `${node.variant}`: takes the place of the node's default variant. */
  readonly variant?: string;
  /** Puts variants in the place of nodes by other rules than ours; `variant` is not looked at then. */
  readonly applyVariants?: (spec: FlowSpec) => VariedFlow;
  /** Connections, deployments and models of this run. */
  readonly overrides?: readonly ConnectionOverride[];
  /** Nodes that are to run alone: mistakes elsewhere in the flow do not matter to them. */
  readonly only?: ReadonlySet<string>;
}

export interface FlowCheck {
  /** As written, its variants chosen, with its loops; absent where the text is no mapping. */
  readonly spec?: FlowSpec;
  /** Absent where no order can be found to run the nodes in; with other errors it is there, to be looked at. */
  readonly plan?: Plan;
  /**
   * Everything that is wrong, each mistake of the author once. In the order in which they are looked for: as the
   * flow is read, made ready and run; shown, they are sorted by place.
   */
  readonly diagnostics: readonly Diagnostic[];
  /** What is known of each node, by its name in the plan. */
  readonly inspections: ReadonlyMap<string, NodeInspection>;
  /** What the programs that would run its nodes are asked about; absent with the text. */
  readonly toLoad?: FlowToLoad;
}

/** The nodes of a flow, unrolled, as far as they can be read: there is no order in which to run them where references are wrong. */
export interface FlowToLoad
  extends Pick<FlowSpec, 'isStandard' | 'environmentVariables'>,
    Required<Pick<Plan, 'modules'>> {
  readonly nodes: readonly InspectedNode[];
}

/** Reads a flow and looks for every mistake in it. Runs nothing and starts nothing; reads the files that nodes name. */
export function checkFlow(file: SourceFile, options: CheckFlowOptions): FlowCheck {
  const { nodeTypes } = options;
  const connections = usableConnections(options.connections);
  const files = readOnce(options.files);
  const parsed = parseDefinition(file, options);
  if (parsed.spec === undefined) return { diagnostics: parsed.diagnostics, inspections: new Map() };
  const varied = options.applyVariants?.(parsed.spec) ?? applyVariants(parsed.spec, options.variant);
  const overridden = overrideConnections(varied.spec, options.overrides ?? [], choosingTypes(nodeTypes));
  const unrolled = unrollFlow(overridden.spec);
  const { only } = options;
  const spec = only === undefined ? unrolled.spec : narrowTo(unrolled.spec, only);
  const inspected = inspectNodes(spec, nodeTypes, files);
  const nodes = only === undefined ? inspected : inspected.filter((node) => only.has(node.spec.name));
  const bound = bindReferences(named(spec, files.folder));
  const diagnostics = [
    ...parsed.diagnostics,
    ...varied.diagnostics,
    ...overridden.diagnostics,
    ...unrolled.diagnostics,
    ...(only === undefined ? [] : checkTemplateNamed(nodes)),
    ...checkFiles(nodes, files),
    ...(only === undefined ? checkRequirements(spec, files) : []),
    ...ownDiagnostics(nodes),
    ...checkTypes(spec, nodes),
    ...checkConnections(nodes, connections),
    ...checkFallbacks(nodes),
    ...checkConnectionInputs(nodes, connections),
    ...checkConnectionTypes(nodes, connections),
    ...checkConnectionDoubts(nodes, connections),
    ...checkPackages(nodes, connections),
    ...checkEnvironment(spec, connections, new Set(Object.keys(options.environment ?? {}))),
    ...bound.diagnostics,
    ...checkTemplateInputs(spec, nodes),
    ...checkRequiredParameters(nodes),
    ...checkFunctions(nodes),
    ...checkProperties(spec, nodes),
    ...checkConditions(spec, nodes),
    ...(only === undefined ? checkReachability(spec, nodes) : []),
  ];
  return {
    spec: varied.spec,
    ...(bound.plan === undefined ? {} : { plan: withTextParameters(bound.plan, nodes) }),
    diagnostics: oncePerMessage(only === undefined ? diagnostics : mistakesAlone(diagnostics, only)),
    inspections: new Map(nodes.map((node) => [node.spec.name, node.inspection])),
    toLoad: {
      nodes,
      isStandard: spec.isStandard,
      environmentVariables: spec.environmentVariables,
      modules: namedModules(spec),
    },
  };
}

function choosingTypes(nodeTypes: ReadonlyMap<string, NodeType>): ReadonlySet<string> {
  return new Set([...nodeTypes].filter(([, { choosesModel }]) => choosesModel === true).map(([name]) => name));
}

/** A flow without a name is called like its folder, as a Python identifier, which may hold letters of all scripts. */
function named(spec: FlowSpec, folder: string): FlowSpec {
  const last = folder.split(/[\\/]/).findLast((part) => part !== '') ?? 'flow';
  return { ...spec, name: spec.name ?? last.replaceAll(/[^\p{L}\p{N}_]|^(?=\p{Nd})/gu, '_').toLowerCase() };
}

/** What the types of the nodes say themselves; of the instances of a loop only the first speaks. */
function ownDiagnostics(nodes: readonly CheckedNode[]): readonly Diagnostic[] {
  return nodes
    .filter(({ spec }) => (spec.instance?.iteration ?? 0) <= 1)
    .flatMap((node) =>
      node.inspection.diagnostics.map((diagnostic) => ({ ...diagnostic, span: diagnostic.span ?? nodePlace(node) })),
    );
}
