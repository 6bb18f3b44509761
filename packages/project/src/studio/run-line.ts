import type { RunReader } from '@unroll/engine';
import { recordView } from '../bulk/record-view.ts';
import { wasImported } from '../bulk/recorded-settings.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { recordedPrices } from '../prices/node-prices.ts';
import { findPrices } from '../prices/price-list.ts';
import { openRecord } from '../records/open-record.ts';
import { isAtEngine } from '../records/record-place.ts';
import { type RunSummary, readRunSummary } from '../run-catalog/run-summary.ts';
import type { RunLine, Sentence } from '../studio-contract/contract.ts';
import { costFigure, countFigure, durationFigure, leftFigure, noFigure, rateFigure, shareFigure } from './figures.ts';
import type { Language } from './lens.ts';
import { runOutcome } from './run-outcome-sentences.ts';

/** Rows of a run beyond which it is not read whole for a line of the list. */
const maxRowsRead = 2000;

const later = 'worked out when the run is opened';

/** What the list says of one run. */
export async function readRunLine(place: string, host: ProjectHost, language: Language = 'en'): Promise<RunLine> {
  const summary = await readRunSummary(place, host);
  if (summary.status === 'Unreadable') return unreadableLine(summary);
  await using store = await openRecord(place, host, () => undefined);
  const isRead = summary.rows <= maxRowsRead;
  const priceOf = recordedPrices(store.info, findPrices(host));
  const view = isRead ? await recordView(store, priceOf) : undefined;
  const isLive = summary.status === 'Running';
  return {
    ...described(summary, store),
    tokens: view === undefined ? noFigure('tokens', later) : countFigure(view.usage?.totalTokens ?? 0, 'tokens'),
    cost: view === undefined ? noFigure('USD', later) : costFigure(view.cost, view.isCostPartial),
    duration:
      view === undefined
        ? noFigure('ms', later)
        : durationFigure(isLive ? host.now() - summary.startedAt : view.elapsedMs),
    outcome: runOutcome(summary, view, language),
    needsLook: summary.failed > 0,
    ...resumable(summary, store),
    ...(isLive ? { progress: { ...progressOf(summary, host.now()), canStop: isAtEngine(place) } } : {}),
  };
}

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

function described(summary: RunSummary, { info }: RunReader): Pick<RunLine, Described> {
  const { id, flow, startedAt, status, rows, failed, total, data } = summary;
  return {
    ...{ id, flow, startedAt, status, tags: [], isBaseline: false, flowPath: info.flowPath },
    data,
    rows: countFigure(rows, 'rows'),
    total,
    failed: countFigure(failed, 'rows'),
  };
}

function resumable({ status, total, rows }: RunSummary, { info }: RunReader): Pick<RunLine, 'canResume'> {
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
