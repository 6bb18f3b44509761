import { codeChangedIn, type FingerprintInputs, unseenIn } from '../node/fingerprint-inputs.ts';
import type { NodeError } from '../node/node-error.ts';
import type { NodeType, PrepareContext, PreparedNode } from '../node/node-type.ts';
import { PrepareError } from '../node/node-type.ts';
import { builtInTools } from '../plan/built-in-tools.ts';
import type { PlanNode } from '../plan/plan.ts';
import { identityHash } from '../record/fingerprint.ts';
import { definitionParts, fingerprintInputs } from './define-fingerprint-inputs.ts';
import type { ForecastNode } from './forecast-row.ts';
import { type NodeWrapper, wrapNode } from './node-wrappers.ts';
import type { PrepareOptions } from './prepare-options.ts';
import { type CacheRule, isReusable, standingIn } from './with-cache.ts';
import { changedReads, unchangedSince } from './with-reads.ts';
import { type RerunPart, recordedOutput } from './with-rerun.ts';

/** A node with all that goes round it. */
export interface ReadyNode {
  readonly node: PreparedNode;
  readonly forecast: ForecastNode;
  /** Absent where no fingerprints are asked for. */
  readonly definition?: FingerprintInputs;
  /** What its code did that nobody can compare, where a later run may take its outputs. */
  unseen(): readonly string[];
  /** Files of its code that it had in more than one version. */
  codeChanged(): readonly string[];
  changedReads(earlier: FingerprintInputs): Promise<readonly string[]>;
}

/** What goes round the nodes of a flow, and what becomes of each where some run again. */
export interface NodeSurroundings {
  readonly wrappers: readonly NodeWrapper[];
  readonly partOf: (node: PlanNode) => RerunPart | undefined;
}

/** Makes one node ready; one that is left out (`only`) cannot run. */
export async function prepareNode(
  plan: PlanNode,
  options: PrepareOptions,
  context: PrepareContext,
  { wrappers, partOf }: NodeSurroundings,
): Promise<ReadyNode | { readonly error: NodeError }> {
  if (options.only !== undefined && !options.only.has(plan.name)) {
    const node = notPrepared(plan);
    const forecast = { prepared: node, isPure: false, find: async () => undefined };
    return { node: wrapNode(wrappers, node, { plan }), forecast, ...nothingRead };
  }
  const { definition } = plan;
  const type = builtInTools.get(definition.source?.tool ?? '') ?? options.nodeTypes.get(definition.type);
  if (type === undefined) return { error: unsupportedType(plan) };
  try {
    const prepared = await type.prepare(definition, context);
    const isFingerprinted = options.fingerprints === true || options.since !== undefined;
    return isFingerprinted
      ? await recognised(plan, type, prepared, options, context, { wrappers, partOf })
      : plain(plan, type, prepared, wrappers);
  } catch (error) {
    if (!(error instanceof PrepareError)) throw error;
    return { error: error.error };
  }
}

function plain(plan: PlanNode, type: NodeType, prepared: PreparedNode, wrappers: readonly NodeWrapper[]): ReadyNode {
  const forecast = { prepared, isPure: type.effects === 'pure', find: async () => undefined };
  return { node: wrapNode(wrappers, prepared, { plan }), forecast, ...nothingRead };
}

const nothingRead = { unseen: () => [], codeChanged: () => [], changedReads: () => Promise.resolve([]) };

/** A node whose records hold a fingerprint, and for which those of an earlier run stand in. */
async function recognised(
  plan: PlanNode,
  type: NodeType,
  prepared: PreparedNode,
  { since, rerun }: PrepareOptions,
  context: PrepareContext,
  { wrappers, partOf }: NodeSurroundings,
): Promise<ReadyNode> {
  const { definition } = plan;
  const part = partOf(plan);
  const parts = await fingerprintInputs(prepared, definition, type, context);
  const cacheRule: CacheRule = {
    identity: identityHash({ kind: type.name, version: type.version, parts }),
    since: since && (await unchangedSince(since, prepared, definition)),
    isCacheable: part !== 'again' && isReusable(type, prepared, definition),
  };
  const isAsked = isReusable(type, prepared, definition) && definition.settings['cache'] === undefined;
  return {
    node: wrapNode(wrappers, prepared, { plan, cacheRule }),
    forecast: {
      prepared,
      isPure: type.effects === 'pure',
      find: async (inputs, call) => {
        const isRecorded = rerun !== undefined && part === 'recorded';
        const recorded = isRecorded ? await recordedOutput(prepared, rerun, call) : undefined;
        return recorded ?? (await standingIn(prepared, cacheRule, inputs, call));
      },
    },
    definition: definitionParts(plan, type, parts, prepared),
    unseen: () => (isAsked ? unseenIn(prepared.reads?.() ?? {}) : []),
    codeChanged: () => codeChangedIn(prepared.reads?.() ?? {}),
    changedReads: (earlier) => changedReads(prepared, earlier),
  };
}

function unsupportedType({ definition: { name, source, type } }: PlanNode): NodeError {
  if (source === undefined) {
    const message = `Node ${name} does not have source defined.`;
    return { code: 'UserErrorException', message, retryable: false };
  }
  const written = type === '' ? 'None' : `ToolType.${type.toUpperCase()}`;
  const message = `Tool type ${written} is not supported yet.`;
  return { code: 'NotImplementedError', message, retryable: false };
}

function notPrepared(node: PlanNode): PreparedNode {
  return {
    parametersWithDefault: new Set(),
    run: () => {
      throw new Error(`bug: node ${node.name} was not prepared`);
    },
  };
}
