import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  createFlowFiles,
  type JsonObject,
  type JsonValue,
  type NodeDefinition,
  type NodeInspection,
  type NodeOutcome,
  type PreparedNode,
  PrepareError,
  type Redactor,
  rowAlone,
  ScopeSlots,
  type SourceFile,
  withTimeout,
} from '@unroll/engine';
import {
  defineEvaluator,
  type Evaluator,
  type EvaluatorInput,
  type PreparedEvaluator,
  type Score,
  ScoreKinds,
} from '@unroll/evals';
import { inputsTakenApart } from '@unroll/nodes/building-blocks';
import * as z from 'zod';
import type { Composition } from '../connections/compose.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { limitConcurrency } from './limit-concurrency.ts';
import { scoreOfOutcome } from './score-of-outcome.ts';

/** Evaluators that are files beside an evaluation: a function in Python, TypeScript or JavaScript. */
export interface FileEvaluators extends AsyncDisposable {
  find(name: string): Evaluator | undefined;
  /**
   * Loads the code of those found.
   *
   * @param seconds that each may take
   * @throws ProjectFailure when it cannot be
   */
  load(seconds?: number): Promise<void>;
}

/** A row's time begins when its code does: no more rows are begun than there are processes of Python. */
const askedAtOnce = Math.min(4, availableParallelism());

/** Seconds for a row, of an evaluator of which nothing else is said. */
const secondsForRow = 60;

/** What a function may ask for by the names of its parameters; any other is a key of the metric. */
const given = ['value', 'expected', 'row', 'inputs', 'outputs', 'turns'] as const;

/**
 * @param folder of the evaluation, absolute
 * @param warn is told what is doubtful of their scores
 */
export function fileEvaluators(
  folder: string,
  composed: Composition,
  shownFrom: string,
  warn: (message: string) => void,
): FileEvaluators {
  const closing: (() => void | Promise<void>)[] = [];
  const found = new Map<string, FileEvaluator>();
  const files = createFlowFiles(folder, shownFrom);
  const context = {
    flow: new ScopeSlots(),
    files,
    connections: composed.connections,
    redactor: composed.redactor,
    environment: {},
    flowId: 'eval',
    messageFormat: 'basic',
    valuesOpenRoles: false,
    // An evaluator that ends its process would end the evaluation, without a word and as if all had passed.
    inThreads: true,
    onClose: (close: () => void | Promise<void>) => void closing.push(close),
  } as const;
  const { redactor } = composed;
  const code = composed.nodeTypes.get('python');
  if (code === undefined) throw new Error('bug: nothing runs code');
  return {
    find: (name) => {
      const path = resolve(folder, name);
      if (!existsSync(path)) return undefined;
      const known = found.get(name);
      if (known !== undefined) return known.evaluator;
      const definition = codeNode(name);
      const prepare = () => code.prepare(definition, context);
      for (const message of apartTexts(name, files.read(codePath(name)))) warn(message);
      const own = new FileEvaluator(name, code.inspect(definition, files), { prepare, redactor, warn });
      found.set(name, own);
      return own.evaluator;
    },
    load: async (seconds) => {
      for (const evaluator of found.values()) await loadedWithin(seconds, evaluator.load(), evaluator.evaluator.name);
    },
    [Symbol.asyncDispose]: async () => {
      for (const close of closing.reverse()) await close();
    },
  };
}

/** A function that takes apart what it is handed in one object scores something else. */
function apartTexts(name: string, file: SourceFile | undefined): readonly string[] {
  if (file === undefined || !/\.[cm]?[jt]s$/.test(file.path)) return [];
  return inputsTakenApart(given, file).map(({ message, help }) => `the evaluator ${name}: ${message}: ${help}`);
}

function codePath(name: string): string {
  return name.replace(/^\.\//, '');
}

function codeNode(path: string): NodeDefinition {
  const source = { type: 'code', path: codePath(path) } as const;
  return { name: path, type: 'python', source, inputs: {}, aggregation: false, settings: {}, locate: () => undefined };
}

/** What is begun ends with the evaluators. */
async function loadedWithin(seconds: number | undefined, loading: Promise<void>, name: string): Promise<void> {
  if (seconds === undefined) return await loading;
  const over = new AbortController();
  const late = setTimeout(seconds * 1000, 'late', { signal: over.signal }).catch(() => undefined);
  const first = await Promise.race([loading, late]).finally(() => over.abort());
  if (first !== 'late') return;
  loading.catch(() => undefined);
  throw new ProjectFailure(`the evaluator ${name} was not loaded within ${seconds} s`, {
    help: 'What its file does when it is imported takes too long, or never ends.',
    code: 'EvaluationNotReady',
  });
}

const oneFunction =
  "An evaluator's file has one function; the names of its helpers begin with _, or it is marked with @tool.";

interface EvaluatorCode {
  readonly prepare: () => Promise<PreparedNode>;
  /** What it throws and says stands in results and reports, which are handed on. */
  readonly redactor: Redactor;
  readonly warn: (message: string) => void;
}

class FileEvaluator {
  readonly evaluator: Evaluator;
  private readonly name: string;
  private readonly takes: (input: string) => boolean;
  private readonly code: EvaluatorCode;
  private node: PreparedNode | undefined;
  private readonly inTurn = limitConcurrency(askedAtOnce);

  constructor(name: string, { parameters, takesAnyInput }: NodeInspection, code: EvaluatorCode) {
    this.name = name;
    this.code = code;
    const names = (parameters ?? []).map((parameter) => parameter.name);
    this.takes = (input) => takesAnyInput || names.includes(input);
    const asks = (input: string): boolean =>
      (parameters ?? []).some((parameter) => parameter.name === input && parameter.required);
    const own = (parameters ?? []).filter(({ name: one }) => !given.some((known) => known === one));
    const shape = {
      ...Object.fromEntries(own.map((one) => [one.name, one.required ? z.unknown() : z.unknown().optional()])),
      better: z.enum(['higher', 'lower']).default('higher'),
      timeout: z.number().gt(0).optional().describe('Seconds it may take for a row.'),
    };
    this.evaluator = defineEvaluator({
      name,
      about: 'a function of yours',
      parameters: takesAnyInput ? z.looseObject(shape) : z.strictObject(shape),
      expected: asks('expected') ? 'needed' : 'optional',
      isKindOpen: true,
      measures: names.includes('turns') ? 'turns' : 'value',
      prepare: (values) => this.prepared(values as OwnValues),
    });
  }

  async load(): Promise<void> {
    try {
      this.node = await this.code.prepare();
    } catch (error) {
      if (!(error instanceof PrepareError)) throw error;
      const reason = this.code.redactor.message(error.message);
      throw new ProjectFailure(`the evaluator ${this.name} cannot be loaded: ${reason}`, {
        ...(/^(No tool found|Expected 1 )/.test(error.message) ? { help: oneFunction } : {}),
        code: error.error.code,
      });
    }
  }

  private prepared({ better, timeout, ...own }: OwnValues): PreparedEvaluator {
    const ofMetric = { better, ...(timeout === undefined ? {} : { timeout }) };
    const taken = Object.entries(ofMetric).filter(([key]) => this.takes(key));
    const parameters = { ...own, ...Object.fromEntries(taken) };
    const kinds = new ScoreKinds(`the evaluator ${this.name}`, this.code.warn);
    const read = (outcome: NodeOutcome, { line }: EvaluatorInput['row']): Score => {
      const { score, isTruth } = scoreOfOutcome(outcome, this.code.redactor);
      if (typeof score === 'number') kinds.add(isTruth, line);
      return score;
    };
    return {
      /** Known once rows were scored: answers that are all true or false pass or fail. */
      get kind() {
        return kinds.areTruths ? 'pass' : 'number';
      },
      better,
      score: (row) => {
        const outcome = this.inTurn(() =>
          this.run({ ...parameters, ...this.inputsOf(row) }, row, timeout ?? secondsForRow),
        );
        return outcome instanceof Promise ? outcome.then((one) => read(one, row.row)) : read(outcome, row.row);
      },
    };
  }

  private inputsOf({ value, expected = null, turns, row }: EvaluatorInput): JsonObject {
    const all: Record<(typeof given)[number], JsonValue> = {
      value,
      expected,
      row: row.data,
      inputs: row.inputs,
      outputs: row.outputs,
      turns: turns.map((turn) => turn.value),
    };
    return Object.fromEntries(Object.entries(all).filter(([name]) => this.takes(name)));
  }

  private run(inputs: JsonObject, { row }: EvaluatorInput, seconds: number): NodeOutcome | Promise<NodeOutcome> {
    if (this.node === undefined) throw new Error(`bug: ${this.name} was not loaded`);
    const { line, repeat } = row;
    return withTimeout(this.node, seconds * 1000).run(inputs, {
      runId: 'eval',
      line,
      repeat,
      node: this.name,
      signal: new AbortController().signal,
      flowInputs: {},
      row: rowAlone(),
    });
  }
}

interface OwnValues extends JsonObject {
  readonly better: 'higher' | 'lower';
  readonly timeout?: number;
}
