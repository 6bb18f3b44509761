import type { Expression, NodeOf, Statement } from './ast.ts';
import { globals } from './globals.ts';
import { Undefined } from './python-types.ts';
import { symbolsOf } from './scope-names.ts';
import { surelyEvaluated } from './surely-evaluated.ts';
import { TemplateError, type TemplateProblem } from './template-error.ts';
import { templateShape } from './template-shape.ts';

/** Renders statements of a template by themselves. @throws TemplateError */
type RenderAlone = (body: readonly Statement[], variables: Readonly<Record<string, unknown>>) => string;

/** What is known of the variables of a template before there is a row. */
export interface KnownVariables {
  /** Those that are the same in each rendering. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Names that a rendering is given, or that the template sets itself. */
  readonly unknown: ReadonlySet<string>;
}

/**
 * What fails wherever the conditions of a template lead: an expression of which all variables are known, and a filter or test
 * with arguments that go with no value there may be.
 */
export function sureFailures(
  body: readonly Statement[],
  known: KnownVariables,
  renderAlone: RenderAlone,
): readonly TemplateProblem[] {
  const tried = new Map<string, TemplateProblem | undefined>();
  const withAnyValue = (applied: Applied): TemplateProblem | undefined => {
    const probed = probe(applied);
    const shape = templateShape([probed]);
    if (!tried.has(shape)) tried.set(shape, failureWithAnyValue(probed, renderAlone));
    const problem = tried.get(shape);
    return problem && { ...problem, place: { start: applied.start, end: applied.end } };
  };
  return body.flatMap((statement) => {
    const alone = withoutBody(statement);
    if (alone === undefined) return [];
    if (symbolsOf(expressionOf(alone)).every((name) => isKnown(name, known)))
      return failure(() => renderAlone([alone], known.values)) ?? [];
    return surelyApplied(expressionOf(alone)).flatMap((applied) => withAnyValue(applied) ?? []);
  });
}

function isKnown(name: string, { values, unknown }: KnownVariables): boolean {
  return !unknown.has(name) && (Object.hasOwn(values, name) || Object.hasOwn(globals, name));
}

type Alone = NodeOf<'Output'> | NodeOf<'If'> | NodeOf<'For'>;

/**
 * A statement with its expression, which is evaluated in any case, and nothing of what that leads to. Nodes of nunjucks keep
 * their `typename` where it is not copied.
 */
function withoutBody(statement: Statement): Alone | undefined {
  if (statement.typename === 'Output') return statement;
  if (statement.typename === 'If') return { ...statement, typename: 'If', body: [], else_: [] };
  if (statement.typename !== 'For') return undefined;
  return { ...statement, typename: 'For', body: [], else_: [], test: null };
}

function expressionOf(statement: Alone): Expression {
  if (statement.typename === 'Output') return statement.expression;
  return statement.typename === 'If' ? statement.cond : statement.iterated;
}

/** undefined too where it only takes longer than the look at it may. */
function failure(render: () => string): TemplateProblem | undefined {
  try {
    render();
    return undefined;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return error.problem.errorClass === 'RenderLimitError' ? undefined : error.problem;
  }
}

/** Values of all kinds that a row can give. */
const values: readonly unknown[] = [
  ...['a', '', '1', '%s', 'Some words, and more.\n'],
  ...[0, 1, -7, true, false, null],
  ...[[], ['a'], [1, 2], [['a', 1]], {}, { a: 1 }, [{ a: 1 }]],
  new Undefined("'value' is undefined", false),
];

function failureWithAnyValue(probed: Statement, renderAlone: RenderAlone): TemplateProblem | undefined {
  const [first, ...others] = values;
  const fails = (value: unknown): TemplateProblem | undefined =>
    failure(() => renderAlone([probed], { [probeName]: value }));
  const problem = fails(first);
  return problem !== undefined && others.every((value) => fails(value) !== undefined) ? problem : undefined;
}

/** No name that a template can have. */
const probeName = 'value of a row';

type Applied = NodeOf<'Filter'> | NodeOf<'Is'>;

function probe(applied: Applied): Statement {
  const { start, end } = applied;
  const value: Expression = { typename: 'Symbol', value: probeName, start, end };
  const expression: Expression =
    applied.typename === 'Filter'
      ? { ...applied, typename: 'Filter', input: value }
      : { ...applied, typename: 'Is', left: value };
  return { typename: 'Output', start, end, expression };
}

/** Filters and tests that an expression comes by whatever its values are, with arguments that read no variable. */
function surelyApplied(expression: Expression): readonly Applied[] {
  const inner = surelyEvaluated(expression).flatMap(surelyApplied);
  if (expression.typename !== 'Filter' && expression.typename !== 'Is') return inner;
  return symbolsOf(expression.arguments).length === 0 ? [...inner, expression] : inner;
}
