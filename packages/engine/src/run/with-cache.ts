import type { NodeDefinition } from '../node/node-definition.ts';
import { answeringFallback } from '../node/node-report.ts';
import type { NodeCall, NodeOutcome, NodeSuccess, NodeType, PreparedNode } from '../node/node-type.ts';
import type { EarlierRun } from '../record/earlier-run.ts';
import { type Fingerprint, inputsFingerprint, renderedFingerprint } from '../record/fingerprint.ts';
import type { NodeRun } from '../record/node-run.ts';
import { readsBack } from '../record/reads-back.ts';
import { textHash } from '../record/value-hash.ts';
import type { JsonObject } from '../value/json.ts';
import { givenAgain } from './given-again.ts';

export interface CacheRule {
  /** Digest of what the node is. */
  readonly identity: string;
  /** Run whose outputs may stand in; absent: every node runs. */
  readonly since?: EarlierRun | undefined;
  /** Whether this node may be answered from an earlier run at all. */
  readonly isCacheable: boolean;
}

/** Whether outputs of the node may be taken from an earlier run. */
export function isReusable(
  type: Pick<NodeType, 'effects'>,
  prepared: Pick<PreparedNode, 'effects'>,
  { settings: { cache } }: Pick<NodeDefinition, 'settings'>,
): boolean {
  const effects = prepared.effects ?? type.effects;
  if (effects === 'writes' || cache === false) return false;
  return effects !== 'reads unseen' || cache === true;
}

/**
 * Gives every record its fingerprint and, where an earlier run holds a completed record with the same, that record's
 * output in the place of running the node.
 */
export function withCache(node: PreparedNode, rule: CacheRule): PreparedNode {
  const { since } = rule;
  const answers = since !== undefined && rule.isCacheable;
  return {
    ...node,
    run(inputs, call) {
      const found = fingerprintOf(node, rule.identity, inputs, call);
      const fingerprinted = (ended: NodeOutcome): NodeOutcome => withFingerprint(ended, found, since !== undefined);
      const runNow = (): NodeOutcome | Promise<NodeOutcome> => {
        const outcome = node.run(inputs, call);
        return outcome instanceof Promise ? outcome.then(fingerprinted) : fingerprinted(outcome);
      };
      if (!('fingerprint' in found && answers)) return runNow();
      const { node: name, line, repeat = 0 } = call;
      return since.find(found.fingerprint, { node: name, line, repeat }).then((record) => {
        return record === undefined ? runNow() : answerOf(record, inputs, since.runId, since.nodeReads[record.node]);
      });
    },
  };
}

/** The record that would stand in for the node. */
export async function standingIn(
  node: PreparedNode,
  { identity, since, isCacheable }: CacheRule,
  inputs: JsonObject,
  call: NodeCall,
): Promise<NodeRun | undefined> {
  if (since === undefined || !isCacheable) return undefined;
  const found = fingerprintOf(node, identity, inputs, call);
  const { node: name, line, repeat = 0 } = call;
  return 'fingerprint' in found ? since.find(found.fingerprint, { node: name, line, repeat }) : undefined;
}

function fingerprintOf(node: PreparedNode, identity: string, inputs: JsonObject, call: NodeCall): Fingerprint {
  const repeat = call.repeat ?? 0;
  if (node.rendered === undefined) return inputsFingerprint(identity, repeat, inputs);
  const rendered = node.rendered(inputs, call);
  if (rendered === undefined) return { notKept: 'its prompt cannot be rendered' };
  return renderedFingerprint(identity, repeat, rendered);
}

/**
 * A record of an earlier run in the place of running the node: what it took is not taken again.
 *
 * @param inputs what the node is given now
 * @param reads what the output depends on, as the earlier run tells: it goes on to the next
 */
export function answerOf(
  record: NodeRun,
  inputs: JsonObject,
  cachedFrom: string,
  reads?: NodeRun['reads'],
): NodeOutcome {
  const { fingerprint, promptMessages, logprobs, metrics, warnings } = record;
  return {
    ...givenAgain(record, inputs),
    report: {
      ...(promptMessages === undefined ? {} : { promptMessages }),
      ...(logprobs === undefined ? {} : { logprobs }),
      ...(metrics === undefined ? {} : { metrics }),
      ...(warnings === undefined ? {} : { warnings }),
      ...(fingerprint === undefined ? {} : { fingerprint }),
      ...(reads === undefined ? {} : { reads }),
      cache: 'hit',
      cachedFrom,
    },
  };
}

function withFingerprint(outcome: NodeOutcome, found: Fingerprint, isAsked: boolean): NodeOutcome {
  const why = 'fingerprint' in found && outcome.ok ? whyLost(outcome) : undefined;
  const kept = why === undefined ? ofWhoAnswered(found, outcome) : { notKept: why };
  const cache = isAsked ? { cache: 'miss' as const } : {};
  return { ...outcome, report: { ...outcome.report, ...kept, ...cache } };
}

/** What another connection than the node's own answered is something else: a later run asks again, a comparison sees it. */
function ofWhoAnswered(
  found: Fingerprint,
  { report = {} }: NodeOutcome,
): Partial<Record<'fingerprint' | 'notKept', string>> {
  const answering = answeringFallback(report);
  if (answering === undefined || !('fingerprint' in found)) return found;
  const { connection, model } = answering;
  const fingerprint = textHash(`${found.fingerprint} answered by ${JSON.stringify([connection, model])}`);
  return { fingerprint, notKept: `connection "${connection}" answered in the place of its own` };
}

/** Why a record of the outcome would not do the same again; undefined where it would. */
function whyLost({ output, changed, inexact }: NodeSuccess): string | undefined {
  if (changed !== undefined) return 'its code changes what it is given';
  return inexact === undefined && readsBack(output) ? undefined : 'its output is no JSON';
}
