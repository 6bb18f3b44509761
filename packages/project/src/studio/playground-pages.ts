import { formatDiagnostic, type JsonValue } from '@unroll/engine';
import { diffValues } from '@unroll/evals';
import type { ProjectEvent } from '../host/project-event.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { alsoHeard, type ProjectHost } from '../host/project-host.ts';
import { startOperation } from '../library/operation.ts';
import { type EditedFlow, editFlow } from '../playground/edited-flow.ts';
import type { ChosenRows } from '../playground/tried-rows.ts';
import { findTriedRun, type TriedRun } from '../playground/tried-run.ts';
import { forecastChange, renderedRequest, type TriedChange, trialOf, tryChange } from '../playground/try-change.ts';
import { changedLines, writeChange } from '../playground/write-change.ts';
import { flowDigest } from '../records/run-info.ts';
import { listRunIds } from '../records/runs-folder.ts';
import type {
  Checked,
  Forecast,
  ForecastRequest,
  LiveRun,
  PlaygroundCheck,
  PlaygroundPage,
  PlaygroundWrite,
  Rendered,
  RowAnswer,
  TrialRequest,
  Written,
} from '../studio-contract/contract.ts';
import { conversation } from './conversation.ts';
import { forecastView } from './forecast-view.ts';
import type { HeldRun } from './held-run.ts';
import type { Language } from './lens.ts';
import { lineChanges } from './line-changes.ts';
import { hasPrompt, playgroundPage, recordedEdits } from './playground-page.ts';
import { playgroundVerdict } from './playground-verdict.ts';
import type { Studio } from './studio.ts';
import { valueChanges } from './value-changes.ts';

export interface PlaygroundQuery {
  readonly run?: string | undefined;
  readonly line?: number | undefined;
  readonly node?: string | undefined;
}

/** Runs that are looked at for one that changes can be tried on. */
const maxLookedAt = 20;

/** Changes of a node, tried on recorded rows. */
export class PlaygroundPages {
  private readonly studio: Studio;

  constructor(studio: Studio) {
    this.studio = studio;
  }

  /** @throws ProjectFailure where there is no such run, row or node, or its flow is gone */
  async page({ run: asked, line: given, node }: PlaygroundQuery): Promise<PlaygroundPage> {
    const held = asked === undefined ? await this.newest() : await this.studio.held.open(asked);
    const trial = trialOf(held.reader.info.options);
    const base = trial === undefined ? held : await this.baseOf(String(trial['run']), held);
    const run = await findTriedRun(base.id, base.path, base.reader, this.studio.host);
    const edits = trial === undefined ? {} : recordedEdits(trial);
    const tried = typeof trial?.['node'] === 'string' ? trial['node'] : undefined;
    const line = given ?? (await firstLine(held)) ?? 0;
    return await playgroundPage({ held: base, run, line, node: node ?? tried, edits, host: this.studio.host });
  }

  async check({ run: id, line: _, node, edits }: PlaygroundCheck, language: Language): Promise<Checked> {
    const { host } = this.studio;
    const { run } = await this.tried(id);
    const flow = editFlow(run, node, edits, host);
    const { before, after } = flow;
    const digest = before.plan === undefined ? undefined : flowDigest(before.plan, before.files);
    const known = new Set(before.diagnostics.map(({ code, message }) => `${code} ${message}`));
    return {
      verdict: playgroundVerdict({ flow, node, run: id, isOther: digest !== run.reader.info.flowDigest, language }),
      files: flow.files.map(({ path, digest: read, text, edited }) => ({
        ...{ path, digest: read, lines: changedLines(text, edited) },
        changes: lineChanges(text, edited),
      })),
      mistakes: after.diagnostics
        .filter(({ severity, code, message }) => severity === 'error' || !known.has(`${code} ${message}`))
        .map((one) => ({ severity: one.severity, text: host.redactor.text(formatDiagnostic(one)) })),
    };
  }

  async rendered({ run: id, line, node, edits }: PlaygroundCheck): Promise<Rendered> {
    const change = await this.change(id, node, edits, { line });
    try {
      const { request, problem } = await renderedRequest({ ...change, rows: { line } }, this.studio.host);
      if (problem !== undefined) return { messages: [], problem };
      const sent: JsonValue | undefined = request?.['messages'] ?? request?.['prompt'];
      return { messages: sent === undefined ? [] : conversation({ node, promptMessages: sent }) };
    } catch (error) {
      if (!(error instanceof ProjectFailure)) throw error;
      return { messages: [], problem: error.message };
    }
  }

  async forecast({ run: id, node, edits, rows }: ForecastRequest, language?: Language): Promise<Forecast> {
    const change = await this.change(id, node, edits, chosenRows(rows));
    const { forecast, basis } = await forecastChange(change, this.studio.host);
    return forecastView(forecast, basis, language);
  }

  /** The one row; resolves when it has ended. What happens meanwhile is told. */
  async row(
    { run: id, line, node, edits }: PlaygroundCheck,
    tell: (answer: RowAnswer) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const { host } = this.studio;
    const change = await this.change(id, node, edits, { line });
    const heard = alsoHeard(host, (event) => reportRow(event, tell));
    const { record } = await tryChange(change, heard, signal, true);
    const after = (await this.studio.held.open(record.id)).reader;
    const { reader } = change.run;
    const [left, right] = [await reader.row(line), await after.row(line)];
    const [before, now] = [await outputOf(reader, line, node), await outputOf(after, line, node)];
    tell({
      ...{ type: 'ended', run: record.id },
      outputs: valueChanges(diffValues(left?.outputs ?? {}, right?.outputs ?? {})),
      node: valueChanges(diffValues(before, now)),
    });
  }

  /** Many rows; resolves once the record is there. */
  async begin({ run: id, node, edits, rows, concurrency }: TrialRequest): Promise<LiveRun> {
    const { begun } = this.studio;
    const asked = await this.change(id, node, edits, chosenRows(rows));
    const pace = begun.paceOf(concurrency ?? asked.run.settings.concurrency);
    const change = { ...asked, pace };
    const stop = new AbortController();
    const going = startOperation<ProjectEvent, unknown>(
      async (emit, signal) => await tryChange(change, alsoHeard(this.studio.host, emit), signal, false),
      stop.signal,
    );
    return await begun.follow(going, stop, pace);
  }

  async write({ run: id, node, edits, digests }: PlaygroundWrite): Promise<Written> {
    const { run } = await this.tried(id);
    return { files: [...writeChange(editFlow(run, node, edits, this.studio.host), digests, this.studio.host)] };
  }

  /** @throws ProjectFailure where there is none */
  private async newest(): Promise<HeldRun> {
    const { host, held } = this.studio;
    for (const id of listRunIds(host.runsFolder).slice(0, maxLookedAt)) {
      const found = await held.open(id).catch(() => undefined);
      if (found !== undefined && (await canBeTried(found, host)) && (await firstLine(found)) !== undefined)
        return found;
    }
    throw new ProjectFailure('there is no run to try a change on', {
      help: 'flow run FLOW --data FILE makes one.',
      code: 'RunNotFound',
    });
  }

  private async tried(id: string): Promise<{ readonly run: TriedRun; readonly held: HeldRun }> {
    const held = await this.studio.held.open(id);
    return { run: await findTriedRun(id, held.path, held.reader, this.studio.host), held };
  }

  private async change(
    id: string,
    node: string,
    edits: PlaygroundCheck['edits'],
    rows: ChosenRows,
  ): Promise<TriedChange> {
    const { run } = await this.tried(id);
    const flow: EditedFlow = editFlow(run, node, edits, this.studio.host);
    return { ...{ run, node, flow, rows } };
  }

  /** The run that a change was tried on may be gone by now: then it is tried on its own record. */
  private async baseOf(id: string, held: HeldRun): Promise<HeldRun> {
    return await this.studio.held.open(id).catch(() => held);
  }
}

function chosenRows(rows: ForecastRequest['rows']): ChosenRows {
  return rows === 'all' ? 'all' : { first: rows };
}

async function firstLine({ reader }: HeldRun): Promise<number | undefined> {
  for await (const rows of reader.rowEnds()) {
    const [first] = rows;
    if (first !== undefined) return first.line;
  }
  return undefined;
}

async function canBeTried({ id, path, reader }: HeldRun, host: ProjectHost): Promise<boolean> {
  try {
    return hasPrompt(await findTriedRun(id, path, reader, host), host);
  } catch (error) {
    if (error instanceof ProjectFailure) return false;
    throw error;
  }
}

async function outputOf(reader: HeldRun['reader'], line: number, node: string): Promise<JsonValue> {
  const records = await reader.nodes(line);
  return records.find((one) => one.node === node)?.output ?? null;
}

function reportRow(event: ProjectEvent, tell: (answer: RowAnswer) => void): void {
  if (event.type === 'run-started') tell({ type: 'began', run: event.record.id });
  else if (event.type === 'node-started') tell({ type: 'node', node: event.node, status: 'Running' });
  else if (event.type === 'node-ended') tell({ type: 'node', node: event.run.node, status: event.run.status });
  else if (event.type === 'text') tell({ type: 'text', node: event.node, text: event.text });
}
