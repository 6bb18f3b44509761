import type { NodeStatus, RowRun } from './node-run.ts';
import type { NodePair, RowPattern } from './run-comparison.ts';
import { statusOf } from './status-number.ts';

/**
 * How a node differs in a pair of rows, as one number.
 *
 * @param left, right as `statusNumber` tells them; -1 where there is no record
 * @param fingerprints 2 where a side has none, else whether they differ
 */
export function nodeCode(
  left: number,
  right: number,
  outputDiffers: boolean,
  inputsDiffer: boolean,
  fingerprints: 0 | 1 | 2,
): number {
  return (((left + 1) * 6 + right + 1) * 4 + (outputDiffers ? 2 : 0) + (inputsDiffer ? 1 : 0)) * 3 + fingerprints;
}

const codesOfNode = 6 * 6 * 4 * 3;

/** Where a pattern that is being told has come to. */
type State = number;

interface Pattern {
  readonly id: number;
  readonly state: State;
  rows: number;
}

/**
 * Pairs of rows counted by what they have in common. A pattern is told step by step, how the rows ended first and then
 * each node that differs; the steps of all patterns make a tree, whose states are numbers.
 */
export class RowPatterns {
  private readonly names: readonly string[];
  /** By state: the states it leads to by their steps, and the step asked for last, which is mostly asked for again. */
  private readonly next: Map<number, State>[] = [new Map()];
  private readonly lastStep: number[] = [-1];
  private readonly lastNext: State[] = [0];
  private readonly before: State[] = [0];
  private readonly step: number[] = [0];
  private readonly patterns: Pattern[] = [];
  private readonly patternOf: (Pattern | undefined)[] = [undefined];
  /** By number; the first are none. */
  private readonly inputs: (readonly string[])[] = [[]];
  private readonly inputsKnown = new Map<string, number>();

  /** @param names of the nodes, in the order in which they are told */
  constructor(names: readonly string[]) {
    this.names = names;
  }

  /** @param inputs names of the flow's inputs that differ */
  begin(left: number, right: number, outputsDiffer: boolean, inputs: readonly string[]): State {
    return this.follow(0, ((this.numberOf(inputs) * 5 + left) * 5 + right) * 2 + Number(outputsDiffer));
  }

  /** @param place of the node in the list of names; places go up */
  node(state: State, place: number, code: number): State {
    return this.follow(state, place * codesOfNode + code);
  }

  /** Counts a pair. @returns the id of its pattern; ids go up from 1 as patterns are met */
  end(state: State): number {
    const known = this.patternOf[state];
    if (known !== undefined) {
      known.rows += 1;
      return known.id;
    }
    const id = this.patterns.length + 1;
    const pattern = { id, state, rows: 1 };
    this.patterns.push(pattern);
    this.patternOf[state] = pattern;
    return id;
  }

  /** In the order of their ids. */
  read(): readonly RowPattern[] {
    return this.patterns.map(({ id, state, rows }) => {
      const nodes: NodePair[] = [];
      let at = state;
      for (; this.before[at] !== 0; at = this.before[at] as State) nodes.push(this.readNode(this.step[at] as number));
      return { id, rows, ...this.readRow(this.step[at] as number), nodes: nodes.reverse() };
    });
  }

  private follow(state: State, step: number): State {
    if (this.lastStep[state] === step) return this.lastNext[state] as State;
    const after = this.next[state]?.get(step) ?? this.add(state, step);
    this.lastStep[state] = step;
    this.lastNext[state] = after;
    return after;
  }

  private add(state: State, step: number): State {
    const added = this.before.push(state) - 1;
    this.step.push(step);
    this.lastStep.push(-1);
    this.lastNext.push(0);
    this.next.push(new Map());
    this.patternOf.push(undefined);
    this.next[state]?.set(step, added);
    return added;
  }

  private numberOf(inputs: readonly string[]): number {
    if (inputs.length === 0) return 0;
    const key = JSON.stringify(inputs);
    const known = this.inputsKnown.get(key);
    if (known !== undefined) return known;
    const number = this.inputs.push(inputs) - 1;
    this.inputsKnown.set(key, number);
    return number;
  }

  private readRow(step: number): Pick<RowPattern, 'left' | 'right' | 'outputsDiffer' | 'inputs'> {
    return {
      left: statusOf(Math.floor(step / 10) % 5) as RowRun['status'],
      right: statusOf(Math.floor(step / 2) % 5) as RowRun['status'],
      outputsDiffer: step % 2 === 1,
      inputs: this.inputs[Math.floor(step / 50)] ?? [],
    };
  }

  private readNode(step: number): NodePair {
    const code = step % codesOfNode;
    const [left, right] = [Math.floor(code / 72), Math.floor(code / 12) % 6];
    return nodePair(this.names[Math.floor(step / codesOfNode)] ?? '', {
      left: left === 0 ? undefined : statusOf(left - 1),
      right: right === 0 ? undefined : statusOf(right - 1),
      outputDiffers: Math.floor(code / 6) % 2 === 1,
      inputsDiffer: Math.floor(code / 3) % 2 === 1,
      fingerprintDiffers: code % 3 === 2 ? undefined : code % 3 === 1,
    });
  }
}

/** What goes into a node is recorded only where it was started. */
export function nodePair(
  node: string,
  pair: {
    readonly left: NodeStatus | undefined;
    readonly right: NodeStatus | undefined;
    readonly outputDiffers: boolean;
    readonly inputsDiffer: boolean;
    readonly fingerprintDiffers: boolean | undefined;
  },
): NodePair {
  const { left, right, outputDiffers, inputsDiffer, fingerprintDiffers } = pair;
  const isStarted = [left, right].every(
    (status) => status !== undefined && status !== 'Bypassed' && status !== 'NotRun',
  );
  return {
    node,
    ...(left === undefined ? {} : { left }),
    ...(right === undefined ? {} : { right }),
    outputDiffers,
    ...(isStarted ? { inputsDiffer } : {}),
    ...(fingerprintDiffers === undefined ? {} : { fingerprintDiffers }),
  };
}
