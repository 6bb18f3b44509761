import { type RowPairId, RunDamageError } from '@unroll/engine';
import { withoutRepeated } from '../diff/build-report.ts';
import { reportRow } from '../diff/report-row.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { DiffRow, DiffRows } from '../studio-contract/contract.ts';
import type { DiffGroups } from './diff-groups.ts';
import type { HeldDiff } from './held-diffs.ts';
import type { HeldRun } from './held-run.ts';
import { readCursor, sliceOf } from './paging.ts';
import { titleOf } from './row-page.ts';
import { valueChanges } from './value-changes.ts';
import { languageOf, valueView } from './value-view.ts';

interface Sides {
  readonly left: HeldRun;
  readonly right: HeldRun;
  readonly compared: HeldDiff;
}

export interface DiffRowsQuery {
  /** Of all pairs where it is not given. */
  readonly group?: string | undefined;
  /** A node, or the family of a loop's, that differs. */
  readonly node?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/** A page of the pairs of a group. */
export async function diffRows(sides: Sides, groups: DiffGroups, query: DiffRowsQuery): Promise<DiffRows> {
  const { group, node, limit = 50 } = query;
  const ofGroup = group === undefined ? sides.compared.pairs : groups.pairsOf(group);
  if (ofGroup === undefined) throw new ProjectFailure(`there are no rows "${group}"`, { code: 'BadQuery' });
  const found = node === undefined ? ofGroup : ofGroup.filter((pair) => kindOf(pair, node, sides) !== undefined);
  const { from, to, paging } = sliceOf(found.length, readCursor(query.cursor), limit);
  const rows: DiffRows['rows'][number][] = [];
  for (const pair of found.slice(from, to)) {
    const title = await pairTitle(pair, sides);
    const kind = node === undefined ? undefined : kindOf(pair, node, sides);
    const language = languageOf(title);
    rows.push({
      ...{ left: pair.left, right: pair.right, title },
      what: [...(kind === undefined ? [] : [{ text: `${node}: ${kind}`, isBad: false }]), ...groups.whatOf(pair)],
      ...(language === undefined ? {} : { language }),
    });
  }
  return { rows, paging };
}

function kindOf({ pattern }: RowPairId, node: string, { compared }: Sides): string | undefined {
  const changes = compared.diff.patterns.get(pattern) ?? [];
  return changes.find(({ of, pair }) => of === node || pair.node === node)?.attribution.kind;
}

async function pairTitle({ right: { line, repeat } }: RowPairId, { right }: Sides): Promise<string> {
  try {
    return titleOf({ inputs: (await right.reader.row(line, repeat))?.inputs ?? {}, line });
  } catch (error) {
    if (!(error instanceof RunDamageError)) throw error;
    return error.message;
  }
}

/**
 * One pair of rows with everything that differs in it.
 *
 * @throws ProjectFailure where the left run has no such row
 */
export async function diffRow(sides: Sides, line: number, repeat: number): Promise<DiffRow> {
  const { left, right, compared } = sides;
  const pair = compared.pairs.find((one) => one.right.line === line && one.right.repeat === repeat);
  if (pair === undefined) {
    throw new ProjectFailure(`row ${line} of run ${right.id} has no other in run ${left.id}`, { code: 'RowNotFound' });
  }
  const reported = await reportRow(pair, {
    ...{ left: left.reader, right: right.reader },
    changes: compared.diff.patterns.get(pair.pattern) ?? [],
    isAsked: () => true,
    leftName: compared.leftName,
  });
  const [row = reported] = withoutRepeated([reported]);
  return {
    ...{ left: pair.left, right: pair.right, title: titleOf({ inputs: row.inputs, line }) },
    ...(row.ended === undefined ? {} : { ended: row.ended }),
    inputChanges: valueChanges(row.inputChanges),
    outputChanges: valueChanges(row.outputChanges),
    nodes: row.nodes.map((node) => ({
      ...{ node: node.node, kind: node.kind, why: node.why },
      promptChanges: valueChanges(node.promptChanges),
      changes: valueChanges(node.changes),
      left: valueView(node.left.value),
      right: valueView(node.right.value),
      ...(node.left.status === node.right.status
        ? {}
        : { ended: { left: node.left.status ?? 'no record', right: node.right.status ?? 'no record' } }),
    })),
  };
}
