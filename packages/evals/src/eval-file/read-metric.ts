// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of eval.yaml look like templates
import {
  type Diagnostic,
  didYouMean,
  type JsonObject,
  type JsonValue,
  kindOf,
  meantIssues,
  plainNumbers,
  valueAt,
  type YamlDocument,
} from '@unroll/engine';
import type { Evaluator, PreparedEvaluator } from '../evaluators/evaluator.ts';
import { parseTarget, type Target } from '../targets/target.ts';
import { checkGate } from './check-gate.ts';
import { metricName, problem } from './eval-problem.ts';
import { metricKeys } from './eval-schema.ts';
import type { GateSpec, MetricSpec, PartialMetric, Source } from './eval-spec.ts';
import {
  isFile,
  isMisspelt,
  keysFor,
  leadsOut,
  otherEvaluators,
  sameForEachRow,
  sourceMistake,
  targetForms,
  targetHelp,
  unknownEvaluator,
  writtenKind,
} from './metric-mistakes.ts';
import { type MetricPath, type MetricProblem, parameterProblems } from './parameter-problems.ts';
import { readGate } from './read-gate.ts';
import { readSource } from './read-source.ts';

/** Names an evaluator that is none of ours, `./own.py`; undefined where there is no such file. */
export type FindEvaluator = (name: string) => Evaluator | undefined;

export interface ReadMetric {
  /** Absent where something in it is wrong. */
  readonly metric?: MetricSpec;
  readonly partial?: PartialMetric;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads one metric, told what evaluators there are; only what `checkEvalShape` leaves is looked at. */
export function readMetric(
  document: YamlDocument,
  place: number,
  evaluators: readonly Evaluator[],
  find: FindEvaluator,
): ReadMetric {
  const written = valueAt(document.value ?? null, ['metrics', place]);
  if (typeof written !== 'object' || written === null || Array.isArray(written)) return { diagnostics: [] };
  const reading = new MetricReading(document, written as JsonObject, place);
  const named = reading.evaluator(evaluators, find);
  const on = reading.target();
  const expected = reading.expected(named?.evaluator, on);
  const parameters = named === undefined ? undefined : reading.parameters(named);
  const reads = named === undefined ? {} : reading.reads(named.evaluator);
  const prepared =
    parameters === undefined ? undefined : named?.evaluator.prepare(parameters, {}, expected !== undefined, '');
  const gate = reading.gate(prepared, on);
  const { diagnostics } = reading;
  const partial = {
    name: String((written as JsonObject)['name']),
    ...reading.on(on),
    ...(named === undefined ? {} : { evaluator: named.evaluator }),
    ...(expected === undefined ? {} : { expected }),
    ...(parameters === undefined ? {} : { parameters }),
    reads,
    place,
  };
  if (named === undefined || parameters === undefined || diagnostics.length > 0) return { partial, diagnostics };
  const { name: evaluatorName, evaluator } = named;
  const metric = { ...partial, evaluatorName, evaluator, parameters, ...(gate === undefined ? {} : { gate }) };
  return { metric, partial, diagnostics };
}

interface NamedEvaluator {
  readonly name: string;
  readonly evaluator: Evaluator;
  readonly k?: number;
}

class MetricReading {
  readonly diagnostics: Diagnostic[] = [];
  private readonly document: YamlDocument;
  private readonly written: JsonObject;
  private readonly place: number;
  private readonly owner: string;
  private isOnTold = false;

  constructor(document: YamlDocument, written: JsonObject, place: number) {
    this.document = document;
    this.written = written;
    this.place = place;
    this.owner = metricName(written, place);
  }

  evaluator(known: readonly Evaluator[], find: FindEvaluator): NamedEvaluator | undefined {
    const name = this.written['evaluator'];
    if (typeof name !== 'string' || name === '') return undefined;
    const [, base = name, digits] = /^(.+)@(\d+)$/.exec(name) ?? [];
    const counted = known.find((one) => one.takesK && name.startsWith(`${one.name}@`));
    const evaluator =
      known.find((one) => one.name === base) ?? (isFile(name) && !leadsOut(name) ? find(name) : undefined);
    const names = known.map((one) => one.name);
    if (evaluator === undefined) {
      const withK = known.map((one) => (one.takesK && digits !== undefined ? `${one.name}@${digits}` : one.name));
      this.add('EVAL_UNKNOWN_EVALUATOR', unknownEvaluator(name), ['evaluator'], {
        help:
          counted === undefined
            ? (didYouMean(name, withK) ?? otherEvaluators(name, names))
            : `after @ stands a number: ${counted.name}@5`,
      });
      return undefined;
    }
    return digits === undefined ? { name, evaluator } : this.withK(name, evaluator, Number(digits));
  }

  private withK(name: string, evaluator: Evaluator, k: number): NamedEvaluator | undefined {
    const { takesK } = evaluator;
    if (takesK && k > 0) return { name, evaluator, k };
    const message = takesK ? `"${name}" counts none: k is 1 or more` : `${evaluator.name} takes no @${k}`;
    const help = takesK ? `for instance ${evaluator.name}@5` : `write ${evaluator.name}`;
    this.add('EVAL_UNKNOWN_EVALUATOR', message, ['evaluator'], { help });
    return undefined;
  }

  target(): Target | undefined {
    const on = this.written['on'] ?? undefined;
    if (typeof on !== 'string' || on === '') return undefined;
    const target = parseTarget(on.replace(/^\$\{(.*)\}$/s, '$1'));
    if (target === undefined) {
      this.add('EVAL_TARGET', `"on" of ${this.owner} cannot be read: "${on}"`, ['on'], { help: targetHelp(on) });
    }
    return target;
  }

  /** The target, or that it is written and wrong. */
  on(target: Target | undefined): Pick<PartialMetric, 'on' | 'isOnWrong'> {
    return target === undefined
      ? { isOnWrong: this.isOnTold || (this.written['on'] ?? null) !== null }
      : { on: target };
  }

  /** @param evaluator undefined where it is not known: then what is written is read */
  expected(evaluator: Evaluator | undefined, on: Target | undefined): Source | undefined {
    const isWritten = Object.hasOwn(this.written, 'expected');
    if (!isWritten) {
      const isImplied = evaluator?.expected === 'needed' && !isMisspelt('expected', this.written, evaluator);
      return isImplied ? this.impliedExpected(on) : undefined;
    }
    if (evaluator?.expected === 'none') {
      const message = `${evaluator.name} takes no "expected" (${this.owner})`;
      this.add('EVAL_PARAMETER', message, ['expected'], {
        part: 'key',
        help: 'remove it, or choose another evaluator',
      });
      return undefined;
    }
    return this.source('expected');
  }

  reads(evaluator: Evaluator): Readonly<Record<string, Source>> {
    const found = evaluator.reads.flatMap(({ name, kinds }) => {
      const source = Object.hasOwn(this.written, name) ? this.source(name) : undefined;
      if (source === undefined || !this.isOfKind(name, kinds)) return [];
      return [[name, source] as const];
    });
    return Object.fromEntries(found);
  }

  /** Whether what is written is a reference, or of a kind that is taken. */
  private isOfKind(name: string, kinds: readonly string[]): boolean {
    const value = this.written[name] as JsonValue;
    const isText = typeof value === 'string';
    if (kinds.includes(writtenKind(value)) || (isText && /^\$\{.*\}$/s.test(value))) return true;
    const named = kinds.map((kind) => `a ${kind}`);
    const wanted = named.join(', ').replace(/, ([^,]*)$/, ' or $1');
    this.add('EVAL_PARAMETER', `"${name}" of ${this.owner} must be ${wanted}, not ${kindOf(value)}`, [name], {
      ...(isText ? { help: 'a column of the data is written ${row.name}' } : {}),
    });
    return false;
  }

  parameters({ evaluator, k }: NamedEvaluator): JsonObject | undefined {
    const readNames = evaluator.reads.map(({ name }) => name);
    const own = Object.entries(this.written).filter(([key]) => !metricKeys.includes(key) && !readNames.includes(key));
    if (k !== undefined && Object.hasOwn(this.written, 'k')) {
      this.add('EVAL_PARAMETER', `k is given twice in ${this.owner}: @${k} and "k"`, ['k'], { part: 'key' });
    }
    const parsed = evaluator.parameters.safeParse({
      ...plainNumbers(Object.fromEntries(own)),
      ...(k === undefined ? {} : { k }),
    });
    const unknown = (parsed.error?.issues ?? []).flatMap((issue) => ('keys' in issue ? issue.keys : []));
    const known = own.filter(([key]) => !unknown.includes(key));
    const same = sameForEachRow(known, this.owner, evaluator);
    if (same !== undefined) this.add('EVAL_PARAMETER', same.message, [same.key], { help: same.help });
    if (same !== undefined) return undefined;
    if (parsed.success) return parsed.data as JsonObject;
    const about = { evaluator: evaluator.name, owner: this.owner, written: this.written, known: keysFor(evaluator) };
    for (const { message, path, ...more } of parsed.error.issues
      .flatMap(meantIssues)
      .flatMap((issue) => parameterProblems(issue, about)))
      this.add('EVAL_PARAMETER', message, path, more);
    return undefined;
  }

  /** @param prepared tells what scores there can be; undefined where it is not known */
  gate(prepared: PreparedEvaluator | undefined, on: Target | undefined): GateSpec | undefined {
    if (!Object.hasOwn(this.written, 'gate')) return undefined;
    const gate = readGate(this.written['gate'] as JsonValue);
    if (gate === undefined) return undefined;
    const { place, owner } = this;
    this.diagnostics.push(...checkGate(this.document, { gate, place, owner, on }, prepared));
    return gate;
  }

  private source(key: string): Source | undefined {
    const written = this.written[key] as JsonValue;
    const source = readSource(written);
    const mistake = sourceMistake(key, this.owner, written, source);
    if (mistake !== undefined) this.add('EVAL_TARGET', mistake.message, [key], { help: mistake.help });
    return 'wrong' in source || mistake !== undefined ? undefined : source;
  }

  /** `expected.<name>`, of the node, family or output that is measured. */
  private impliedExpected(on: Target | undefined): Source | undefined {
    if (on !== undefined) {
      const steps = ['expected', on.name].map((name) => ({ kind: 'key', name }) as const);
      const within = on.steps[0]?.kind === 'every' ? on.steps.slice(1) : on.steps;
      return { from: 'column', text: `row.expected.${on.name}`, steps: [...steps, ...within], isImplied: true };
    }
    if (this.written['on'] === undefined) {
      this.isOnTold = true;
      this.add('EVAL_MISSING_KEY', `${this.owner} lacks the key "on"`, [], { help: targetForms });
    }
    return undefined;
  }

  private add(code: string, message: string, path: MetricPath, { help, part }: MetricProblem = {}): void {
    const place = { path: ['metrics', this.place, ...path], ...(part === undefined ? {} : { part }), help };
    this.diagnostics.push(problem(this.document, code, message, place));
  }
}
