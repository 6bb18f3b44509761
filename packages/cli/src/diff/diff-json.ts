import { type JsonObject, type JsonValue, stringifyJson } from '@unroll/engine';
import { lookAlike, type NodeDiff, type PartChange, type ValueChange } from '@unroll/evals';
import type { DiffReport, NodeReport, NodeResult, ReportedRun, RowReport } from '@unroll/project';

/** What `flow diff --json` prints. Stable: other tools read it; described in docs/guide/diff.md. */
export function diffJson(report: DiffReport): string {
  const { rows } = report.diff;
  const json: JsonObject = {
    same: report.isSame,
    verdict: report.verdict,
    left: runJson(report.left),
    right: runJson(report.right),
    paired_by: report.pairedBy,
    key: report.key ?? null,
    rows: {
      left: rows.left,
      right: rows.right,
      paired: rows.paired,
      same: rows.same,
      outputs_differ: rows.outputsDiffer,
      failed_only_left: rows.failedLeft,
      failed_only_right: rows.failedRight,
      only_left: rows.onlyLeft,
      only_right: rows.onlyRight,
    },
    metrics: report.metrics.map(({ name, left = null, right = null }) => ({ name, left, right })),
    nodes: report.nodes.map(nodeJson),
    differing_rows: report.rows.map(rowJson),
    differing_rows_found: report.rowsFound,
    rows_only_left: report.onlyLeft.map(({ line, repeat }) => ({ line, repeat })),
    rows_only_right: report.onlyRight.map(({ line, repeat }) => ({ line, repeat })),
  };
  return `${stringifyJson(json, 2)}\n`;
}

function runJson({ id, path, flow, flowPath, startedAt, madeWith }: ReportedRun): JsonValue {
  const made = madeWith === undefined ? null : { version: madeWith.version, build: madeWith.build };
  return { id, record: path, flow, flow_path: flowPath, started_at: startedAt, made_with: made };
}

function nodeJson(node: NodeDiff): JsonValue {
  return {
    name: node.name,
    kind: node.kind,
    instances: node.instances,
    aggregation: node.isAggregation,
    only_in: node.onlyIn ?? null,
    changed_parts: node.changedParts?.map(partJson) ?? null,
    same: node.same,
    changed: node.changed,
    status_differs: node.statusDiffers,
    failed_only_left: node.failedLeft,
    failed_only_right: node.failedRight,
    kinds: { ...node.kinds },
    effects_of: { ...node.effectsOf },
    cause_parts: node.causeParts.map(partJson),
    origins: node.origins.map(({ name, from, rows, steps }) => ({ name, from, rows, steps })),
  };
}

function partJson({ part, left, right }: PartChange): JsonValue {
  return { part, ...(left === undefined ? {} : { left }), ...(right === undefined ? {} : { right }) };
}

function rowJson(row: RowReport): JsonValue {
  return {
    left: { line: row.left.line, repeat: row.left.repeat },
    right: { line: row.right.line, repeat: row.right.repeat },
    inputs: row.inputs,
    input_changes: row.inputChanges.map(changeJson),
    ended: row.ended === undefined ? null : { left: row.ended.left, right: row.ended.right },
    output_changes: row.outputChanges.map(changeJson),
    nodes: row.nodes.map(nodeReportJson),
    other_nodes: row.others.map(({ node, kind }) => ({ node, kind })),
  };
}

function nodeReportJson(report: NodeReport): JsonValue {
  const { node, kind, why, left, right } = report;
  return {
    node,
    class: report.class,
    kind,
    why,
    left: resultJson(left),
    right: resultJson(right),
    prompt_changes: report.promptChanges.map(changeJson),
    changes: report.changes.map(changeJson),
  };
}

function resultJson({ status, value }: NodeResult): JsonValue {
  return { status: status ?? null, value };
}

/** `left` is missing for what was added, `right` for what was removed; `look_alike` writes out what cannot be seen to differ. */
function changeJson({ path, left, right }: ValueChange): JsonValue {
  const alike = typeof left === 'string' && typeof right === 'string' ? lookAlike(left, right) : undefined;
  return {
    path,
    ...(left === undefined ? {} : { left }),
    ...(right === undefined ? {} : { right }),
    ...(alike === undefined ? {} : { look_alike: { ...alike } }),
  };
}
