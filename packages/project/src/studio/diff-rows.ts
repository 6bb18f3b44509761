import { type RowPairId, RunDamageError } from '@unroll/engine';
import type { ChangeKind, RowChange, ValueChange } from '@unroll/evals';
import { withoutRepeated } from '../diff/build-report.ts';
import { reportRow, whyText } from '../diff/report-row.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { DiffRow, DiffRows } from '../studio-contract/contract.ts';
import type { DiffGroups } from './diff-groups.ts';
import { diffPageWords } from './diff-page-words.ts';
import type { HeldDiff } from './held-diffs.ts';
import type { HeldRun } from './held-run.ts';
import type { Language } from './lens.ts';
import { readCursor, sliceOf } from './paging.ts';
import { titleOf } from './row-page.ts';
import { valueChanges } from './value-changes.ts';
import { languageOf } from './value-view.ts';

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
  /** Why the node, or any, differs. */
  readonly only?: readonly ChangeKind[] | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
  readonly language?: Language | undefined;
}

/** A page of the pairs of a group. */
export async function diffRows(sides: Sides, groups: DiffGroups, query: DiffRowsQuery): Promise<DiffRows> {
  const { group, node, only = [], limit = 50, language: told = 'en' } = query;
  const ofGroup = group === undefined ? sides.compared.pairs : groups.pairsOf(group);
  if (ofGroup === undefined) throw new ProjectFailure(`there are no rows "${group}"`, { code: 'BadQuery' });
  const isMeant = (pair: RowPairId): boolean => meantChange(pair, { node, only }, sides) !== undefined;
  const found = node === undefined && only.length === 0 ? ofGroup : ofGroup.filter(isMeant);
  const { from, to, paging } = sliceOf(found.length, readCursor(query.cursor), limit);
  const rows: DiffRows['rows'][number][] = [];
  for (const pair of found.slice(from, to)) {
    const title = await pairTitle(pair, sides);
    const kind = node === undefined ? undefined : meantChange(pair, { node, only }, sides)?.attribution.kind;
    const language = languageOf(title);
    rows.push({
      ...{ left: pair.left, right: pair.right, title },
      what: [
        ...(kind === undefined ? [] : [{ text: `${node}: ${diffPageWords[told].kinds[kind]}`, isBad: false }]),
        ...groups.whatOf(pair, told),
      ],
      ...(language === undefined ? {} : { language }),
    });
  }
  return { rows, paging };
}

interface MeantChange {
  /** Its name, that of its instances together, or of one of them. */
  readonly node: string | undefined;
  /** All where it is empty. */
  readonly only: readonly ChangeKind[];
}

function meantChange({ pattern }: RowPairId, { node, only }: MeantChange, { compared }: Sides): RowChange | undefined {
  const { diff, graph } = compared;
  const isOf = ({ of, pair }: RowChange): boolean =>
    node === undefined || [of, pair.node, graph.get(pair.node)?.family].includes(node);
  return (diff.patterns.get(pattern) ?? []).find(
    (change) => isOf(change) && (only.length === 0 || only.includes(change.attribution.kind)),
  );
}

async function pairTitle({ right: { line, repeat } }: RowPairId, { right }: Sides): Promise<string> {
  try {
    return titleOf({ inputs: (await right.reader.row(line, repeat))?.inputs ?? {} });
  } catch (error) {
    if (!(error instanceof RunDamageError)) throw error;
    return error.message;
  }
}

export interface DiffRowQuery {
  /** Of the right run. */
  readonly line: number;
  readonly repeat: number;
  /** Places of one value that are told. */
  readonly places?: number | undefined;
}

/** Of a value that is another one altogether the first are enough. */
const maxPlaces = 200;

/**
 * One pair of rows with everything that differs in it.
 *
 * @throws ProjectFailure where the left run has no such row
 */
export async function diffRow(sides: Sides, { line, repeat, places = maxPlaces }: DiffRowQuery): Promise<DiffRow> {
  const { left, right, compared } = sides;
  const pair = compared.pairs.find((one) => one.right.line === line && one.right.repeat === repeat);
  if (pair === undefined) {
    throw new ProjectFailure(`row ${line} of run ${right.id} has no other in run ${left.id}`, { code: 'RowNotFound' });
  }
  const changes = compared.diff.patterns.get(pair.pattern) ?? [];
  const whyOf = new Map(changes.map(({ pair: { node }, attribution }) => [node, attribution]));
  const reported = await reportRow(pair, {
    ...{ left: left.reader, right: right.reader },
    changes,
    isAsked: () => true,
    leftName: compared.leftName,
  });
  const [row = reported] = withoutRepeated([reported]);
  const shown = (changes: readonly ValueChange[]): DiffRow['inputChanges'] => ({
    places: valueChanges(changes.slice(0, places)),
    leftOut: Math.max(0, changes.length - places),
  });
  return {
    ...{ left: pair.left, right: pair.right, title: titleOf(row) },
    ...(row.ended === undefined ? {} : { ended: row.ended }),
    inputChanges: shown(row.inputChanges),
    outputChanges: shown(row.outputChanges),
    nodes: row.nodes.map((node) => ({
      ...{ node: node.node, kind: node.kind, why: whyInBoth(whyOf.get(node.node)) },
      promptChanges: shown(node.promptChanges),
      changes: shown(node.changes),
      ...(node.left.status === node.right.status
        ? {}
        : { ended: { left: node.left.status ?? 'no record', right: node.right.status ?? 'no record' } }),
    })),
  };
}

/** An export tells the row once, in whatever language it is read. */
function whyInBoth(attribution: RowChange['attribution'] | undefined): DiffRow['nodes'][number]['why'] {
  if (attribution === undefined) throw new Error('bug: a node is told that does not differ');
  return { en: whyText(attribution), ja: whyText(attribution, 'ja') };
}
