import {
  checkFlow,
  type Diagnostic,
  type FlowFiles,
  flowFilesOf,
  isPromptyPath,
  learningConnections,
  type NodeInspection,
  type Plan,
  type PlanNode,
  readDefinition,
} from '@unroll/engine';
import { compose } from '../connections/compose.ts';
import type { FoundFlow } from '../flows/find-flow.ts';
import { type FlowSettings, variantReference } from '../flows/flow-settings.ts';
import type { ProjectHost } from '../host/project-host.ts';

/** A flow as it stands in its files, or as it is edited: read and checked, nothing of it runs. */
export interface ReadFlow {
  /** Absent where no order can be found to run its nodes in. */
  readonly plan?: Plan | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly inspections: ReadonlyMap<string, NodeInspection>;
  readonly files: FlowFiles;
}

/** Secrets of the connections that it names are known from then on. */
export function readFlow(
  found: FoundFlow,
  { variant, connectionsFile, overrides }: Pick<FlowSettings, 'variant' | 'connectionsFile' | 'overrides'>,
  host: ProjectHost,
): ReadFlow {
  const composed = compose(host, found.folder, connectionsFile);
  const { files, includes } = flowFilesOf(found, host.folder);
  const { plan, diagnostics, inspections } = checkFlow(readDefinition(found, host.folder), {
    ...composed,
    connections: learningConnections(composed.connections, host.redactor),
    ...{ files, overrides },
    ...(variant === undefined ? {} : { variant: variantReference(variant) }),
  });
  return { plan, diagnostics: [...includes.diagnostics, ...diagnostics], inspections, files };
}

export function nodeOf({ plan }: ReadFlow, name: string): PlanNode | undefined {
  return plan?.nodes.find((node) => node.name === name);
}

/** The file of a node's prompt as the flow names it; undefined where it has none. */
export function promptPath({ inspections, plan }: ReadFlow, { name, definition }: PlanNode): string | undefined {
  if (plan !== undefined && isPromptyPath(plan.file.path)) return plan.file.path.split('/').at(-1);
  return inspections.get(name)?.fillsTemplate === true ? definition.source?.path : undefined;
}
