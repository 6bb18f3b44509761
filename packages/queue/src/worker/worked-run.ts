import type { NodeRun, RunLog, RunnableFlow, Usage } from '@unroll/engine';
import type { usageCost } from '@unroll/project';
import type { Database } from '../database/database.ts';
import type { TakenJob } from '../jobs/index.ts';
import { KnownNodes } from '../record/known-nodes.ts';
import type { EngineKey } from '../seal/index.ts';
import { addSpending, type RunStanding, type RunWork, stopRun, type WorkerDoing } from '../work/index.ts';
import type { NodesInFlight } from './nodes-in-flight.ts';
import { spentBudget } from './spent-budget.ts';

type CostOf = ReturnType<typeof usageCost>;

interface RunMeans {
  readonly costOf: CostOf;
  /** That its calls go to, by their names. */
  readonly connections: ReadonlySet<string>;
  /** What opens what is sealed of it. */
  readonly key: EngineKey | undefined;
}

/** A run that this worker has made ready: its flow, and what this worker's calls have cost and nobody knows yet. */
export class WorkedRun {
  readonly work: RunWork;
  readonly flow: RunnableFlow;
  /** Aborted when no new row is to begin. */
  readonly stopping = new AbortController();
  /** Of the jobs under way, those whose records are not all durable. */
  readonly logs = new Set<RunLog>();
  /** Shared by them. */
  readonly known = new KnownNodes();
  /** Under way. */
  readonly jobs = new Set<TakenJob>();
  /** Rows in flight. */
  rows = 0;
  /** Of the jobs under way. */
  readonly inFlight = new Set<NodesInFlight>();
  /** That its calls go to, by their names. */
  readonly connections: ReadonlySet<string>;
  standing: RunStanding;
  /** Of `standing`, up to where all that had come back was taken by somebody. */
  returned = 0;
  /** What opens what is sealed of it. */
  readonly key: EngineKey | undefined;
  private readonly database: Database;
  private readonly costOf: CostOf;
  private tokens = 0;
  private cost = 0;

  constructor(work: RunWork, flow: RunnableFlow, { costOf, connections, key }: RunMeans, database: Database) {
    this.work = work;
    this.key = key;
    this.flow = flow;
    this.costOf = costOf;
    this.connections = connections;
    this.database = database;
    this.standing = work.standing;
  }

  /** What of it is under way here. */
  doing(): WorkerDoing {
    const nodes: Record<string, number> = {};
    for (const job of this.inFlight) for (const name of job.names()) nodes[name] = (nodes[name] ?? 0) + 1;
    return { nodes, connections: [...this.connections] };
  }

  nodeEnded({ node, usage, cache }: NodeRun): void {
    if (usage === undefined || cache === 'hit') return;
    this.spend(node, usage);
  }

  private spend(node: string, usage: Usage): void {
    this.tokens += usage.totalTokens;
    this.cost += this.costOf(node, usage).dollars;
  }

  /** Tells what was spent here, and learns how the run stands. */
  async sync(): Promise<void> {
    const { tokens, cost } = this;
    this.tokens = 0;
    this.cost = 0;
    try {
      await this.learn(await addSpending(this.work, { tokens, cost }, this.database));
    } catch (error) {
      this.tokens += tokens;
      this.cost += cost;
      throw error;
    }
  }

  /** Tells what was spent here, where something was. */
  async reportSpent(): Promise<void> {
    if (this.tokens > 0 || this.cost > 0) await this.sync();
  }

  /**
   * A budget that is reached, or a user, ends the run.
   *
   * @param standing undefined where it is over or was removed
   */
  async learn(standing: RunStanding | undefined): Promise<void> {
    if (standing === undefined) {
      this.stopping.abort();
      return;
    }
    this.standing = standing;
    const reached = spentBudget(this.work.settings, standing);
    if (reached !== undefined) await stopRun(this.work, reached.why, this.database, reached.text);
    if (reached !== undefined || standing.state !== 'running') this.stopping.abort();
  }

  /** Resolves when everything that ended until now is durable. */
  async durable(): Promise<void> {
    await Promise.all([...this.logs].map((log) => log.ensureKept()));
  }
}
