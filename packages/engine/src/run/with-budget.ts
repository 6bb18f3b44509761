import type { Budget } from '../flow/flow-spec.ts';
import type { Usage } from '../node/node-report.ts';
import type { NodeCall, NodeOutcome, PreparedNode } from '../node/node-type.ts';
import { ScopeSlot } from '../node/scope-slots.ts';
import { budgetReached, budgetStoppedState } from '../plan/loop-end.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { isMapping } from '../value/shapes.ts';
import { type CallCost, noSpending, reachedText, type Spending, spendOn } from './spending.ts';

/** Where a node stands that spends of a budget. */
export interface BudgetPlace {
  readonly loop?: LoopPlace;
  /** The loop around its own, which counts what it spends too. */
  readonly around?: string;
  /** Of the whole row. */
  readonly row?: Budget | undefined;
  /** Stands outside of loops, asks a model, and no loop comes before it: it fails once the row's budget is spent. */
  readonly failsWithRow: boolean;
  readonly costOf: (usage: Usage) => CallCost;
}

export interface LoopPlace {
  readonly name: string;
  readonly until: string;
  readonly budget: Budget;
  /** Set on the last node of a group: what it gives is the next state. */
  readonly last?: {
    /** Input that holds the state of the iteration before; absent in the first iteration. */
    readonly stateInput?: string;
    /** Of the last iteration: nothing is left to be kept from running but what answers at the bound. */
    readonly isAtBound: boolean;
  };
}

/** What the rows under way have spent. */
export class Ledger {
  private readonly slot = new ScopeSlot<RowSpending>('budget');
  readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  of({ row }: NodeCall): RowSpending {
    return row.kept(this.slot, () => ({ whole: noSpending(this.now()), loops: new Map() }));
  }
}

interface RowSpending {
  readonly whole: Spending;
  readonly loops: Map<string, Spending>;
}

/**
 * Counts what a node spends and, where a budget is spent after an iteration of a loop, lands the loop: the nodes of the
 * iterations left are bypassed or hand the state on unread, and the loop ends as at its bound. What an iteration began it
 * ends. Nodes that ended in an earlier attempt count with what they took there, tokens and time, and nothing else is asked of
 * them: whether they landed the loop is in what they gave.
 */
export function withBudget(node: PreparedNode, place: BudgetPlace, ledger: Ledger): PreparedNode {
  return {
    ...node,
    run: (inputs, call) => {
      const handed = handedOn(inputs, place.loop);
      if (handed !== undefined) return handed;
      const row = ledger.of(call);
      const loop = spendingOf(row, place.loop?.name, ledger);
      const around = spendingOf(row, place.around, ledger);
      const all = [row.whole, loop, around];
      const before = call.finished?.get(call.node);
      if (before !== undefined) {
        countBefore(all, before, place, call, ledger);
        return node.run(inputs, call);
      }
      const spent = place.failsWithRow ? reachedText(place.row ?? {}, row.whole, ledger.now()) : undefined;
      if (spent !== undefined) return budgetExceeded(spent);
      const ended = (outcome: NodeOutcome): NodeOutcome => {
        const usage = outcome.report?.usage;
        if (usage !== undefined) count(all, usage, place.costOf(usage));
        return landed(outcome, place, { loop, row: row.whole }, ledger.now());
      };
      const outcome = node.run(inputs, call);
      return outcome instanceof Promise ? outcome.then(ended) : ended(outcome);
    },
  };
}

function spendingOf(row: RowSpending, name: string | undefined, ledger: Ledger): Spending | undefined {
  if (name === undefined) return undefined;
  const known = row.loops.get(name) ?? noSpending(ledger.now());
  row.loops.set(name, known);
  return known;
}

function countBefore(
  spendings: readonly (Spending | undefined)[],
  { usage, startedAt }: NonNullable<ReturnType<NonNullable<NodeCall['finished']>['get']>>,
  place: BudgetPlace,
  { row }: NodeCall,
  ledger: Ledger,
): void {
  if (usage !== undefined) count(spendings, usage, place.costOf(usage));
  if (startedAt === undefined) return;
  const began = ledger.now() - row.workedSince(startedAt);
  for (const spending of spendings)
    if (spending !== undefined) spending.startedAt = Math.min(spending.startedAt, began);
}

function count(spendings: readonly (Spending | undefined)[], usage: Usage, cost: CallCost): void {
  for (const spending of spendings) if (spending !== undefined) spendOn(spending, usage.totalTokens, cost);
}

/** A landed state goes on untouched; at the bound it is unfinished again, so that what answers there runs. */
function handedOn(inputs: JsonObject, loop: LoopPlace | undefined): NodeOutcome | undefined {
  const input = loop?.last?.stateInput;
  const state = input === undefined ? undefined : inputs[input];
  if (loop === undefined || !isLanded(state)) return undefined;
  const output = loop.last?.isAtBound === true ? { ...state, [loop.until]: false } : state;
  return { ok: true, output, report: { notKept: keptNot } };
}

const keptNot = 'a budget ended the loop';

function isLanded(state: JsonValue | undefined): state is JsonObject {
  return state !== undefined && isMapping(state) && typeof state[budgetReached] === 'string';
}

function landed(
  outcome: NodeOutcome,
  { loop, row }: BudgetPlace,
  spent: { readonly loop: Spending | undefined; readonly row: Spending },
  now: number,
): NodeOutcome {
  if (!outcome.ok || loop?.last === undefined || loop.last.isAtBound) return outcome;
  const { output } = outcome;
  if (!isMapping(output) || output[loop.until] === true) return outcome;
  const ofLoop = spent.loop === undefined ? undefined : reachedText(loop.budget, spent.loop, now);
  const ofRow = row === undefined ? undefined : reachedText(row, spent.row, now);
  const text = ofLoop ?? (ofRow === undefined ? undefined : `${ofRow} of the row`);
  if (text === undefined) return outcome;
  const { fingerprint: _ofAnother, ...report } = outcome.report ?? {};
  const warnings = [...(report.warnings ?? []), `loop '${loop.name}' goes round no more: ${text}`];
  return {
    ok: true,
    output: budgetStoppedState(output, loop.until, text),
    report: { ...report, notKept: keptNot, warnings },
  };
}

function budgetExceeded(spent: string): NodeOutcome {
  const message = `the budget of the row is spent: ${spent}`;
  return {
    ok: false,
    error: { code: 'BudgetReached', message, retryable: false },
  };
}
