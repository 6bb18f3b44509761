import type { JsonObject } from '@unroll/engine';
import type { Difference } from '@unroll/evals';
import { differencesIn, type NodeExplanation, type WhyAbout } from '@unroll/project';

/** `flow why --json`; described in docs/guide/changed-only.md. */
export function explanationJson(nodes: readonly NodeExplanation[], { run, against, row }: WhyAbout): JsonObject {
  return {
    run,
    against: against ?? null,
    row,
    nodes: Object.fromEntries(nodes.map((node) => [node.run.node, nodeJson(node)])),
  };
}

function nodeJson({ run, explanation }: NodeExplanation): JsonObject {
  const shared = { status: run.status, fingerprint: run.fingerprint ?? null };
  if (explanation.kind === 'taken') {
    const { from, beside } = explanation;
    const differences = beside === undefined ? {} : { differences: differencesJson(beside) };
    return { ...shared, ran: false, taken_from: from, ...differences };
  }
  if (explanation.kind === 'not run') return { ...shared, ran: false };
  const { because } = explanation;
  return {
    ...shared,
    ran: true,
    reason: because.kind,
    ...(because.kind === 'nothing changed' && because.program !== undefined
      ? { made_with: { old: because.program.left ?? null, new: because.program.right ?? null } }
      : {}),
    ...(because.kind === 'not seen' ? { not_seen: because.what ?? null } : {}),
    differences: differencesJson(differencesIn(explanation)),
  };
}

function differencesJson(differences: readonly Difference[]): readonly JsonObject[] {
  return differences.map(({ part, from, changes }) => ({
    part,
    from: from ?? null,
    changes: changes.map(({ path, left = null, right = null }) => ({ path, old: left, new: right })),
  }));
}
