import { type RunDamage, RunDamageError, type RunInfo, type RunReader } from '@unroll/engine';
import { recordView } from '../bulk/record-view.ts';
import { wasImported } from '../bulk/recorded-settings.ts';
import type { ProjectHost } from '../host/project-host.ts';
import type { ProgressView } from '../host/run-progress.ts';
import { isPricedByPart, recordedPrices } from '../prices/node-prices.ts';
import { findPrices, type PriceList } from '../prices/price-list.ts';
import { openRecord } from '../records/open-record.ts';
import { isAtEngine } from '../records/record-place.ts';
import { type RunSummary, summaryOf, unreadableSummary } from '../run-catalog/run-summary.ts';
import type { RunLine, Sentence } from '../studio-contract/contract.ts';
import { costFigure, countFigure, durationFigure, leftFigure, noFigure, rateFigure, shareFigure } from './figures.ts';
import type { Language } from './lens.ts';
import { runOutcome } from './run-outcome-sentences.ts';

/** Rows of a run beyond which it is not read whole for a line of the list. */
const maxRowsRead = 2000;

const later = 'worked out when the run is opened';

/** What a record tells for the list: of one that cannot be read its summary alone. */
export interface RunFacts {
  readonly place: string;
  readonly summary: RunSummary;
  readonly info?: Pick<RunInfo, 'flowPath' | 'options'>;
  /** How it stands; absent where it has too many rows to be read for a line. */
  readonly view?: ProgressView;
}

/** Opens the record once: what is damaged of its counts makes it one that cannot be read, damaged rows are left out. */
export async function readRunFacts(place: string, host: ProjectHost): Promise<RunFacts> {
  let isCounted = false;
  const onDamage = (damage: RunDamage): void => {
    if (!isCounted) throw new RunDamageError(damage);
  };
  try {
    await using store = await openRecord(place, host, onDamage);
    const summary = await summaryOf(place, store, host);
    isCounted = true;
    const { flowPath, options } = store.info;
    const info = { flowPath, ...(options === undefined ? {} : { options }) };
    return {
      place,
      summary,
      info,
      ...(summary.rows > maxRowsRead ? {} : { view: await lineView(store, findPrices(host)) }),
    };
  } catch (error) {
    if (isCounted) throw error;
    return { place, summary: unreadableSummary(place, error) };
  }
}

/** How a run stands, of its records no more read than a line of the list needs. */
export async function lineView(store: RunReader, prices: PriceList): Promise<ProgressView> {
  const priceOf = recordedPrices(store.info, prices);
  return await recordView(store, priceOf, (node) => isPricedByPart(node, store.info, priceOf));
}

/** What the list says of one run. */
export function runLine({ place, summary, info, view }: RunFacts, now: number, language: Language = 'en'): RunLine {
  if (info === undefined) return unreadableLine(summary);
  const isLive = summary.status === 'Running';
  return {
    ...described(summary, info),
    tokens: view === undefined ? noFigure('tokens', later) : countFigure(view.usage?.totalTokens ?? 0, 'tokens'),
    cost: view === undefined ? noFigure('USD', later) : costFigure(view.cost, view.isCostPartial),
    duration:
      view === undefined ? noFigure('ms', later) : durationFigure(isLive ? now - summary.startedAt : view.elapsedMs),
    outcome: runOutcome(summary, view, language),
    needsLook: summary.failed > 0,
    ...resumable(summary, info),
    ...(isLive ? { progress: { ...progressOf(summary, now), canStop: isAtEngine(place) } } : {}),
  };
}

type ReadInfo = NonNullable<RunFacts['info']>;

type Described =
  | 'id'
  | 'flow'
  | 'flowPath'
  | 'data'
  | 'tags'
  | 'startedAt'
  | 'status'
  | 'rows'
  | 'total'
  | 'failed'
  | 'isBaseline';

function described(summary: RunSummary, { flowPath }: ReadInfo): Pick<RunLine, Described> {
  const { id, flow, startedAt, status, rows, failed, total, data } = summary;
  return {
    ...{ id, flow, startedAt, status, tags: [], isBaseline: false, flowPath },
    data,
    rows: countFigure(rows, 'rows'),
    total,
    failed: countFigure(failed, 'rows'),
  };
}

function resumable({ status, total, rows }: RunSummary, info: ReadInfo): Pick<RunLine, 'canResume'> {
  const missing = total === undefined ? 0 : total - rows;
  const goesOn = !wasImported(info) && info.options?.['trial'] === undefined;
  return status === 'Canceled' && missing > 0 && goesOn ? { canResume: missing } : {};
}

function progressOf(
  { rows, total, failed, startedAt }: RunSummary,
  now: number,
): Omit<NonNullable<RunLine['progress']>, 'canStop'> {
  const seconds = Math.max(0.001, (now - startedAt) / 1000);
  const rate = rows === 0 ? undefined : rows / seconds;
  const left = rate === undefined || total === undefined ? undefined : ((total - rows) / rate) * 1000;
  return {
    done: rows,
    total,
    share: shareFigure(total === undefined || total === 0 ? undefined : rows / total, 'its rows were not counted'),
    rate: rateFigure(rate),
    left: leftFigure(left),
    failed,
    isOurs: false,
  };
}

function unreadableLine({ id, startedAt, problem = 'it cannot be read' }: RunSummary): RunLine {
  const outcome: Sentence = { rule: 'unreadable', parts: [{ text: problem, as: 'told', tone: 'bad' }] };
  const none = noFigure('rows', { told: problem });
  return {
    ...{ id, flow: '', tags: [], startedAt, status: 'Unreadable', rows: none, failed: none },
    tokens: noFigure('tokens', { told: problem }),
    cost: noFigure('USD', { told: problem }),
    duration: noFigure('ms', { told: problem }),
    ...{ outcome: [outcome], needsLook: true, isBaseline: false, problem },
  };
}
