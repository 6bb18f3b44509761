import * as z from 'zod';
import { figure, interval, list, nodeStatus, place, rowPlace, verdict } from './figures.ts';
import { runLine } from './runs-page.ts';
import { workView } from './work-view.ts';

/** What a node is coloured by: its figure, and where that lies between least and most of the graph. */
export const measure = z.strictObject({
  figure,
  /** 0 to 1 between the least and the most of the nodes; null where there is nothing to measure. */
  level: z.number().nullable(),
  /** `first_function`, `p50`: what the figure is of. */
  of: z.string().optional(),
});

/** How many rows of a node ended how; `cached` are of the completed ones. */
export const nodeCounts = z.strictObject({
  Completed: z.int(),
  Bypassed: z.int(),
  Failed: z.int(),
  Canceled: z.int(),
  NotRun: z.int(),
  cached: z.int().optional(),
});

/** x and y are the upper left corner, in pixels of the layout. */
const area = { x: z.number(), y: z.number(), width: z.number(), height: z.number() };

export const graphNode = z.strictObject({
  /** `node.agent_1`; folded `node.search.agent`. */
  id: z.string(),
  label: z.string(),
  kind: z.enum(['input', 'output', 'node']),
  /** Node type as written: `llm`, `python`, `loop`; the value type of an input or output where it is known. */
  type: z.string(),
  /** Template, code file or index. */
  detail: z.string().optional(),
  /** `flow.dag.yaml:23`. */
  written: z.string().optional(),
  /** Names of the recorded nodes it stands for; folded, all instances. */
  nodes: list(z.string()),
  loop: z.string().optional(),
  family: z.string().optional(),
  /** From 1; 0 or absent outside of turns. */
  iteration: z.int().optional(),
  isAggregation: z.boolean(),
  ...area,
  counts: nodeCounts.optional(),
  /** Of one row alone. */
  status: nodeStatus.optional(),
  /** By the name of the measure. */
  measures: z.record(z.string(), measure),
  /** A gate of a metric on it fails; rows that went wrong here first. */
  gateFails: z.boolean(),
  firstBad: z.int(),
  /** Against the baseline. */
  trend: z.enum(['better', 'worse']).optional(),
  /** In a diff: how its own change stands to what differs. */
  change: z.enum(['cause', 'both', 'effect', 'input', 'noise', 'unknown', 'same']).optional(),
});

export const graphArrow = z.strictObject({
  from: z.string(),
  to: z.string(),
  /** `condition`: the target may be bypassed; `again`: back to the first node of a folded loop. */
  kind: z.enum(['data', 'condition', 'again']),
  label: z.string().optional(),
  /** From the edge of one box to that of the other, by way of these. */
  points: list(z.strictObject({ x: z.number(), y: z.number() })),
  /** A difference between two runs goes along it. */
  carries: z.boolean(),
});

/** Nodes in the order of the flow; groups are loops, and in unfolded graphs their turns. */
export const graph = z.strictObject({
  width: z.number(),
  height: z.number(),
  nodes: list(graphNode),
  arrows: list(graphArrow),
  groups: list(
    z.strictObject({
      id: z.string(),
      label: z.string(),
      loop: z.string(),
      iteration: z.int().optional(),
      parent: z.string().optional(),
      ...area,
    }),
  ),
});

/** A loop over all rows. */
export const loopView = z.strictObject({
  name: z.string(),
  /** Turns at most. */
  times: z.int(),
  /** What its state must say for it to end. */
  until: z.string().optional(),
  turns: list(
    z.strictObject({
      turn: z.int(),
      ran: z.int(),
      /** Rows whose loop ended after it. */
      ended: z.int(),
      tokens: figure,
      cost: figure,
      /** Rows right, had the loop ended here. */
      rightByNow: z.int().optional(),
      /** Its nodes, in their order. */
      nodes: list(z.string()),
    }),
  ),
  neverEnded: z.int(),
  stopped: z.strictObject({ right: z.int(), tooEarly: z.int(), tooLate: z.int(), never: z.int() }).optional(),
  recommendedTimes: z.int().optional(),
  /** Rows that were right after one turn and wrong at the end. */
  lostLater: z.int().optional(),
});

/** A metric of an evaluation over this run. */
export const metricChip = z.strictObject({
  name: z.string(),
  evaluator: z.string(),
  on: z.string(),
  node: z.string().optional(),
  kind: z.enum(['pass', 'number']),
  better: z.enum(['higher', 'lower']),
  mean: figure,
  interval: interval.optional(),
  gate: z.strictObject({ rule: z.string(), passed: z.boolean(), reason: z.string() }).optional(),
  /** Rows without a score because something failed there. */
  lacking: z.int().optional(),
  trend: z.enum(['better', 'worse', 'not significant', 'same']).optional(),
  /** Against the run compared with; pass metrics only. */
  flips: z.strictObject({ fixed: z.int(), broken: z.int() }).optional(),
  to: place.optional(),
});

/** One of the figures in a line: rows, duration, tokens, cost, from cache. */
export const fact = z.strictObject({
  name: z.enum(['rows', 'failed', 'duration', 'tokens', 'cost', 'cached']),
  figure,
  note: z.string().optional(),
});

/** Rows that failed with the same node and error. */
export const failureGroup = z.strictObject({
  node: z.string().optional(),
  code: z.string(),
  message: z.string(),
  retryable: z.boolean().optional(),
  rows: z.int(),
  examples: list(rowPlace),
});

/** GET runs/:run?evaluation&against: `evaluation` is a name of `evaluations`, `against` a run it is compared with. */
export const runPage = z.strictObject({
  run: runLine,
  verdict,
  facts: list(fact),
  metrics: list(metricChip),
  /** What nodes over all rows logged, as Prompt flow's evaluation flows do. */
  logged: list(z.strictObject({ name: z.string(), text: z.string() })),
  /** Evaluations of its flow, and which one is shown. */
  evaluations: list(z.string()),
  evaluation: z.string().optional(),
  /** Why an evaluation cannot be shown: its judges would have to be asked, it has mistakes … */
  evaluationProblem: z.string().optional(),
  /** The run it is compared with: the one asked for, else the baseline, else the one before it over the same data. */
  against: z.string().optional(),
  /** Colours there is something to colour by, `status` first. */
  measures: list(z.enum(['score', 'status', 'time', 'tokens', 'cost'])),
  unfolded: graph,
  /** Absent where there is no loop. */
  folded: graph.optional(),
  loops: list(loopView),
  failures: list(failureGroup),
  /** Of a run that is on workers. */
  work: workView.optional(),
  /** What is being worked out and will be told by an event `ready`: all that needs every `row` of a large run, its `scores`. */
  pending: list(z.enum(['rows', 'scores'])),
});

export type Measure = z.infer<typeof measure>;
export type NodeCounts = z.infer<typeof nodeCounts>;
export type GraphNode = z.infer<typeof graphNode>;
export type GraphArrow = z.infer<typeof graphArrow>;
export type Graph = z.infer<typeof graph>;
export type LoopView = z.infer<typeof loopView>;
export type MetricChip = z.infer<typeof metricChip>;
export type Fact = z.infer<typeof fact>;
export type FailureGroup = z.infer<typeof failureGroup>;
export type RunPage = z.infer<typeof runPage>;
