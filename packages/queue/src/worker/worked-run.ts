import type { NodeRun, RunLog, RunnableFlow, Usage } from '@unroll/engine';
import type { usageCost } from '@unroll/project';
import type { Database } from '../database/database.ts';
import { KnownNodes } from '../record/known-nodes.ts';
import type { EngineKey } from '../seal/index.ts';
import { addSpending, type RunStanding, type RunWork, stopRun } from '../work/index.ts';
import { spentBudget } from './spent-budget.ts';

export type CostOf = ReturnType<typeof usageCost>;

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
  /** Jobs under way. */
  jobs = 0;
  /** Rows in flight. */
  rows = 0;
  standing: RunStanding;
  /** What opens what is sealed of it. */
  readonly key: EngineKey | undefined;
  private readonly database: Database;
  private readonly costOf: CostOf;
  private tokens = 0;
  private cost = 0;

  constructor(work: RunWork, flow: RunnableFlow, costOf: CostOf, key: EngineKey | undefined, database: Database) {
    this.work = work;
    this.key = key;
    this.flow = flow;
    this.costOf = costOf;
    this.database = database;
    this.standing = work.standing;
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
  async tellSpent(): Promise<void> {
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
