import { type JsonValue, type NodeRun, type RowRun, type RunInfo, type RunReader, valueHash } from '@unroll/engine';
import { explainNodes, type NodeExplanation } from '../explain/explain-row.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { recordedPrices } from '../prices/node-prices.ts';
import { findPrices } from '../prices/price-list.ts';
import { spentBy, tokensOf } from '../prices/spent.ts';
import { namesOverRows } from '../records/nodes-over-rows.ts';
import { rowName } from '../records/row-name.ts';
import type { RowIndex } from '../row-index/row-index.ts';
import type { RowMarks } from '../row-index/row-scores.ts';
import type { RowPage, Value } from '../studio-contract/contract.ts';
import type { ScoredRecord } from './evaluations.ts';
import { costFigure, countFigure, durationFigure } from './figures.ts';
import type { HeldRun } from './held-run.ts';
import type { Language } from './lens.ts';
import { nodeView } from './node-view.ts';
import { cellScores } from './row-line.ts';
import { type AgainstRow, rowVerdict, turnsRun } from './row-verdict.ts';
import { turnViews } from './turn-views.ts';
import { preview, valueView } from './value-view.ts';

export interface RowAsked {
  readonly run: HeldRun;
  readonly line: number;
  readonly repeat: number;
  /** Undefined until the record was read. */
  readonly index: RowIndex | undefined;
  readonly marks: RowMarks;
  readonly scored: ScoredRecord | undefined;
  readonly isPending: boolean;
  /** Rows as they are filtered and sorted. */
  readonly places: readonly number[] | undefined;
  /** Run it is compared with. */
  readonly against: HeldRun | undefined;
  /** Run whose outputs stood in, where it is there. */
  readonly since: HeldRun | undefined;
  readonly host: ProjectHost;
  /** English where it is not said. */
  readonly language?: Language | undefined;
}

/** A row with every node, its turns, and what went wrong first. */
export async function rowPage(asked: RowAsked): Promise<RowPage> {
  const { run, line, repeat, marks, scored, host } = asked;
  const { reader } = run;
  const row = await readRow(asked);
  const records = byName(await reader.nodes(line, repeat));
  const at = asked.index?.find(line, repeat);
  const firstBad = at === undefined ? undefined : marks.firstBad.get(at);
  const against = await againstOf(asked, row);
  const loops = turnViews(reader.info, records, { against: against?.records, firstBad });
  const scores = at === undefined ? {} : cellScores(at, marks, scored);
  const { told, other } = await explained(asked, records, against);
  const priceOf = recordedPrices(reader.info, findPrices(host));
  const { tokens, cost, isCostPartial } = spentBy(ofRow(records, reader.info), priceOf);
  const subject = {
    info: reader.info,
    startedAt: row.startedAt,
    priceOf,
    told,
    against: other,
    row: rowName({ line, repeat }),
    scored,
    scores,
    firstBad,
    language: asked.language ?? 'en',
  };
  const nodes = reader.info.nodes.flatMap((node) => {
    const record = records.get(node.name);
    return record === undefined ? [] : [nodeView(node, record, subject)];
  });
  return {
    run: run.id,
    flow: reader.info.flowName,
    ...{ line, repeat },
    title: titleOf(row),
    status: row.status,
    verdict: rowVerdict(
      {
        run: run.id,
        row,
        loops,
        tokens,
        firstBad,
        result: scored?.result,
        against: against && againstRow(against, reader, row),
      },
      asked.language,
    ),
    duration: durationFigure(row.durationMs),
    tokens: countFigure(tokens, 'tokens'),
    cost: costFigure(cost, isCostPartial),
    ...(await placesOf(asked, at)),
    inputs: valueView(row.inputs, 'row.inputs'),
    outputs: valueView(row.outputs, 'row.outputs'),
    ...(row.error === undefined
      ? {}
      : {
          error: {
            code: row.error.code,
            message: row.error.message,
            node: row.error.node,
          },
        }),
    scores: (scored?.result.metrics ?? []).flatMap(({ name, node }) => {
      const score = scores[name];
      return score === undefined ? [] : [{ metric: name, score, ...(node === undefined ? {} : { node }) }];
    }),
    labels: Object.fromEntries(
      [...marks.labels].flatMap(([name, labels]) =>
        at === undefined || !labels.has(at) ? [] : [[name, labels.get(at) ?? 'unsure']],
      ),
    ),
    nodes,
    isPending: asked.isPending,
    loops,
    ...(against === undefined
      ? {}
      : { against: { run: against.run.id, line, repeat, to: { page: 'row', run: against.run.id, line, repeat } } }),
    problems: [...run.damages],
  };
}

/** All of a value that was cut: of a node `agent_1.output`, of the row `row.inputs`, `row.outputs.answer`. */
export async function rowValue(reader: RunReader, line: number, repeat: number, ref: string): Promise<Value> {
  const [, output] = /^row\.outputs\.(.+)$/s.exec(ref) ?? [];
  if (output !== undefined) return requireValue((await reader.row(line, repeat))?.outputs?.[output], ref);
  const [, owner = '', part = ''] = /^(.+)\.(inputs|output|outputs|request)$/s.exec(ref) ?? [];
  const found =
    owner === 'row'
      ? rowPart(await reader.row(line, repeat), part)
      : nodePart(byName(await reader.nodes(line, repeat)).get(owner), part);
  return requireValue(found, ref);
}

function requireValue(found: JsonValue | undefined, ref: string): Value {
  if (found === undefined) throw new ProjectFailure(`the row has no value ${ref}`, { code: 'ValueNotFound' });
  return valueView(found, undefined, Infinity);
}

function rowPart(row: RowRun | undefined, part: string): JsonValue | undefined {
  return part === 'inputs' ? row?.inputs : part === 'outputs' ? row?.outputs : undefined;
}

function nodePart(run: NodeRun | undefined, part: string): JsonValue | undefined {
  if (part === 'request') return run?.promptMessages;
  return part === 'inputs' ? run?.inputs : part === 'output' ? run?.output : undefined;
}

export async function readRow({ run, line, repeat }: Pick<RowAsked, 'run' | 'line' | 'repeat'>): Promise<RowRun> {
  const row = await run.reader.row(line, repeat);
  if (row !== undefined) return row;
  throw new ProjectFailure(`run ${run.id} has no row ${rowName({ line, repeat })} that ended`, { code: 'RowNotFound' });
}

/** Nodes over all rows are shown with the first one, and are none of its own. */
function ofRow(records: ReadonlyMap<string, NodeRun>, info: RunInfo): readonly NodeRun[] {
  const overRows = namesOverRows(info);
  return [...records.values()].filter(({ node }) => !overRows.has(node));
}

function byName(runs: readonly NodeRun[]): ReadonlyMap<string, NodeRun> {
  return new Map(runs.map((run) => [run.node, run]));
}

/** Its main input: the first that is a text; empty where nothing was given. */
export function titleOf({ inputs }: Pick<RowRun, 'inputs'>): string {
  const texts = Object.values(inputs).filter((value) => typeof value === 'string' && value.trim() !== '');
  return preview(texts[0] ?? Object.values(inputs)[0]);
}

interface Against {
  readonly run: HeldRun;
  readonly row: RowRun;
  readonly records: ReadonlyMap<string, NodeRun>;
}

/** The same row elsewhere: at the same place, and given the same. */
async function againstOf({ against, line, repeat }: RowAsked, row: RowRun): Promise<Against | undefined> {
  const other = await against?.reader.row(line, repeat);
  if (against === undefined || other === undefined || valueHash(other.inputs) !== valueHash(row.inputs))
    return undefined;
  return { run: against, row: other, records: byName(await against.reader.nodes(line, repeat)) };
}

function againstRow({ run, row: other, records }: Against, { info }: RunReader, row: RowRun): AgainstRow {
  const loops = turnViews(info, records, { against: undefined, firstBad: undefined });
  return {
    run: run.id,
    hasSameAnswer: valueHash(other.outputs) === valueHash(row.outputs),
    tokens: tokensOf(ofRow(records, info)),
    turns: new Map(loops.map(({ name, turns }) => [name, turnsRun(turns)])),
  };
}

/** Why each node ran, against the run whose outputs stood in, else the one it is compared with. */
async function explained(
  { run, line, repeat, since }: RowAsked,
  records: ReadonlyMap<string, NodeRun>,
  against: Against | undefined,
): Promise<{ readonly told: ReadonlyMap<string, NodeExplanation>; readonly other: string | undefined }> {
  const other = since ?? against?.run;
  const nodes = await explainNodes(run.reader, [...records.values()], { line, repeat }, other?.reader);
  return { told: new Map(nodes.map((node) => [node.run.node, node])), other: other?.id };
}

type Places = Pick<RowPage, 'rows' | 'inFilter' | 'previous' | 'next'>;

/** The rows before and after it, as they are filtered and sorted. */
async function placesOf({ index, places, run, line, repeat }: RowAsked, at: number | undefined): Promise<Places> {
  if (index === undefined || places === undefined || at === undefined)
    return await neighbours(run.reader, line, repeat);
  const here = places.indexOf(at);
  const placeAt = (place: number | undefined): { readonly line: number; readonly repeat: number } | undefined =>
    place === undefined ? undefined : { line: index.lines[place] ?? 0, repeat: index.repeats[place] ?? 0 };
  const previous = here > 0 ? placeAt(places[here - 1]) : undefined;
  const next = here >= 0 ? placeAt(places[here + 1]) : undefined;
  return {
    rows: index.size,
    ...(here < 0 ? {} : { inFilter: { at: here + 1, of: places.length } }),
    previous,
    next,
  };
}

async function neighbours(reader: RunReader, line: number, repeat: number): Promise<Places> {
  const { Completed, Failed, Canceled } = await reader.rowCounts();
  const [before, after] = [line > 0 ? await reader.row(line - 1) : undefined, await reader.row(line + 1)];
  return {
    rows: Completed + Failed + Canceled,
    ...(before === undefined || repeat > 0 ? {} : { previous: { line: line - 1, repeat: 0 } }),
    ...(after === undefined ? {} : { next: { line: line + 1, repeat: 0 } }),
  };
}
