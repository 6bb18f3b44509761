import { existsSync, globSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import {
  didYouMean,
  HiddenInputs,
  type JsonObject,
  type Plan,
  type RowOptions,
  type RowResult,
  type RunInfo,
  type RunnableFlow,
  type RunReader,
} from '@unroll/engine';
import { checkFoundFlow } from '../flows/check-flow.ts';
import { type FoundFlow, findFlow } from '../flows/find-flow.ts';
import type { FlowSettings } from '../flows/flow-settings.ts';
import { openForRun } from '../flows/open-for-run.ts';
import { reportReads } from '../flows/report-reads.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { digestNow, newRunInfo } from '../records/record-run.ts';
import { readClosedRun } from './closed-run.ts';
import { RequestsUnderWay } from './requests-under-way.ts';
import { type RequestPlace, type RequestRecord, TrafficRecord } from './traffic-record.ts';

/** Which requests are kept: none, those that failed, or a part of all from 0 to 1, taken at random. */
export type RecordedShare = 'none' | 'errors' | number;

/** A flow that is ready for requests, any number of them at once. */
export interface ServedFlow extends AsyncDisposable {
  /** Name of its folder. */
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
  readonly plan: Plan;
  /** Begins a request; its place is known before its row runs. */
  begin(): ServedRequest;
  /**
   * Reads a run that this server, or an earlier one of this flow, recorded.
   *
   * @returns undefined where there is no such run
   */
  readRun<Read>(run: string, read: (reader: RunReader) => Promise<Read>): Promise<Read | undefined>;
  /** The next request as a run of its own, to be run elsewhere. */
  asRun(): RequestRun;
  /** Takes no new request, and closes the flow and its records once those under way have ended. */
  retire(): Promise<void>;
}

/** A request as a run of one row: what it takes to run it elsewhere, and what its record says of it. */
export interface RequestRun {
  readonly flow: RunnableFlow;
  readonly found: FoundFlow;
  readonly settings: ServeFlowSettings;
  readonly info: RunInfo;
}

export interface ServedRequest {
  /** Undefined where the request is not recorded, or it is not known yet whether it will be. */
  readonly place: RequestPlace | undefined;
  /** Runs the row; it never rejects for a failure of the world. To be called once. */
  run(inputs: JsonObject, options?: Omit<RowOptions, 'runId' | 'line' | 'isAlone'>): Promise<ServedRow>;
  /** The request ends without a row. */
  drop(): void;
}

export interface ServedRow extends RowResult {
  /** Undefined where it is not recorded. */
  readonly place: RequestPlace | undefined;
}

export interface ServeFlowSettings extends FlowSettings {
  readonly recorded: RecordedShare;
  /** Names of inputs that no record holds; answers tell them as ever. One that the flow does not have is passed over. */
  readonly redacted?: readonly string[];
}

/**
 * Makes a flow ready for requests. Variables of the process go before those the flow sets, as in Prompt flow's server.
 *
 * @throws FlowNotReady when it cannot run
 */
export async function serveFlow(found: FoundFlow, settings: ServeFlowSettings, host: ProjectHost): Promise<ServedFlow> {
  const { recorded, redacted: asked = [], ...ofFlow } = settings;
  const environment = { ...(await fromProcess(found, ofFlow, host)), ...ofFlow.environment };
  const { flow } = await openForRun(found, { ...ofFlow, environment, guardsImageFiles: true }, host);
  const redacted = asked.filter((name) => flow.plan.inputs.some((input) => input.name === name));
  const hidden = new HiddenInputs(flow.plan, redacted);
  const recordable = (result: RowResult): RowResult =>
    redacted.length === 0 ? result : hidden.hiddenIn(result, flow.redactor);
  const options = { serve: true, ...(redacted.length === 0 ? {} : { redact: redacted }) };
  const ofRecords = { options, flowDigest: digestNow(flow.plan, found, host) };
  const traffic = new TrafficRecord(flow, found, ofRecords, host);
  const isSampled = (): boolean => typeof recorded === 'number' && Math.random() < recorded;
  let unrecorded = 0;
  const underWay = new RequestsUnderWay();
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= Promise.resolve()
      .then(() => reportReads(flow, host, `${basename(found.folder)}: `))
      .then(() => flow[Symbol.asyncDispose]());
    return closing;
  };
  return {
    name: basename(found.folder),
    folder: found.folder,
    plan: flow.plan,
    begin: () => {
      const record = recorded === 'errors' || isSampled() ? traffic.begin() : undefined;
      const place = record?.place ?? { run: 'unrecorded', line: unrecorded++ };
      const request = requestOf(flow.runRow, place, { record, recordable, onlyErrors: recorded === 'errors' });
      return endedBy(request, underWay.enter());
    },
    asRun: () => ({ flow, found, settings, info: newRunInfo(flow, found, { ...ofRecords, data: { total: 1 } }, host) }),
    readRun: async (run, read) => {
      const open = traffic.open(run);
      return open === undefined ? await readClosedRun(run, found, read, host) : await read(open);
    },
    retire: async () => {
      await underWay.ended();
      await traffic.close();
      await close();
    },
    [Symbol.asyncDispose]: async () => {
      await traffic.close();
      await close();
    },
  };
}

/** The request, which tells when it has ended. */
function endedBy(request: ServedRequest, end: () => void): ServedRequest {
  return {
    place: request.place,
    drop: () => {
      request.drop();
      end();
    },
    run: (inputs, options) => request.run(inputs, options).finally(end),
  };
}

interface Recording {
  readonly record: RequestRecord | undefined;
  /** The row as it may be recorded. */
  readonly recordable: (result: RowResult) => RowResult;
  readonly onlyErrors: boolean;
}

function requestOf(
  runRow: (inputs: JsonObject, options: RowOptions) => Promise<RowResult>,
  { run: runId, line }: RequestPlace,
  { record, recordable, onlyErrors }: Recording,
): ServedRequest {
  const place = onlyErrors ? undefined : record?.place;
  return {
    place,
    drop: () => record?.end(undefined),
    run: async (inputs, options = {}) => {
      try {
        const result = await runRow(inputs, { ...options, runId, line, isAlone: true });
        const isKept = !onlyErrors || result.row.status !== 'Completed';
        record?.end(isKept ? recordable(result) : undefined);
        return { ...result, place: isKept ? record?.place : undefined };
      } catch (bug) {
        record?.end(undefined);
        throw bug;
      }
    },
  };
}

/** What the process says of the variables that the flow sets itself. */
async function fromProcess(
  found: FoundFlow,
  settings: FlowSettings,
  host: ProjectHost,
): Promise<Readonly<Record<string, string>>> {
  const { plan } = await checkFoundFlow(found, settings, host);
  const names = Object.keys(plan?.environmentVariables ?? {});
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = host.environment[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/**
 * The flow a server is given: as `findFlow` finds it, or the one prompty in a folder without any other flow.
 *
 * @throws ProjectFailure when there is none
 */
export function findServedFlow(given: string, host: ProjectHost): FoundFlow {
  const folder = resolve(host.folder, given);
  const hasFlow = ['flow.dag.yaml', 'flow.flex.yaml'].some((name) => existsSync(join(folder, name)));
  const prompties = hasFlow ? [] : globSync('*.[pP][rR][oO][mM][pP][tT][yY]', { cwd: folder });
  const [only] = prompties;
  return only === undefined || prompties.length > 1 ? findFlow(given, host) : findFlow(join(given, only), host);
}

/**
 * Refuses inputs that are to be kept out of records, as `inputs.NAME`, and are inputs of none of the flows.
 *
 * @throws ProjectFailure with all of them
 */
export function refuseUnknownRedacted(given: readonly string[], flows: readonly Pick<ServedFlow, 'plan'>[]): void {
  const known = new Set(flows.flatMap(({ plan }) => plan.inputs.map(({ name }) => `inputs.${name}`)));
  const unknown = given.filter((one) => !known.has(one));
  if (unknown.length === 0) return;
  const wrong = unknown.map((one) => {
    const nearest = didYouMean(one, known);
    return nearest === undefined ? `"${one}"` : `"${one}": ${nearest}`;
  });
  throw new ProjectFailure(`no flow that is served has the input ${wrong.join('; ')}`, {
    code: 'InputNotFound',
    help: `Its inputs: ${[...known].join(', ') || 'none'}`,
  });
}
