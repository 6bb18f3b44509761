/** The syntax tree: nunjucks' node kinds by their `typename`, with our offsets, and the kinds nunjucks does not have. */
interface At {
  readonly start: number;
  readonly end: number;
}
type Kind<Name extends string, Fields> = Name extends string ? At & Fields & { readonly typename: Name } : never;

export interface Arguments {
  readonly args: readonly Expression[];
  readonly keywords: readonly (readonly [string, Expression])[];
  readonly spread: Expression | null;
  readonly keywordSpread: Expression | null;
}

export type Expression =
  | Kind<'Literal', { value: unknown }>
  | Kind<'Symbol', { value: string }>
  | Kind<'Group', { children: readonly Expression[] }>
  | Kind<'Array', { children: readonly Expression[] }>
  | Kind<'Dict', { pairs: readonly (readonly [Expression, Expression])[] }>
  | Kind<'LookupVal', { target: Expression; val: Expression; dotted: boolean }>
  | Kind<'SliceBounds', { bounds: readonly (Expression | null)[] }>
  | Kind<'FunCall', { name: Expression; arguments: Arguments }>
  | Kind<'Filter', { input: Expression | null; name: string; arguments: Arguments }>
  | Kind<'Is', { left: Expression; name: string; arguments: Arguments }>
  | Kind<'InlineIf', { cond: Expression; body: Expression; else_: Expression | null }>
  | Kind<'Or' | 'And', { left: Expression; right: Expression }>
  | Kind<'Not' | 'Neg' | 'Pos', { target: Expression }>
  | Kind<'Add' | 'Sub' | 'Mul' | 'Div' | 'FloorDiv' | 'Mod' | 'Pow', { left: Expression; right: Expression }>
  | Kind<'Concat', { children: readonly Expression[] }>
  | Kind<'Compare', { expr: Expression; ops: readonly (readonly [string, Expression])[] }>
  | Kind<'NamespaceTarget', { name: string; attribute: string }>;

export interface Parameters {
  readonly names: readonly string[];
  readonly defaults: readonly Expression[];
}

export type Statement =
  | Kind<'TemplateData', { value: string }>
  | Kind<'Output', { expression: Expression }>
  | Kind<
      'For',
      {
        target: Expression;
        iterated: Expression;
        body: readonly Statement[];
        else_: readonly Statement[];
        test: Expression | null;
        recursive: boolean;
      }
    >
  | Kind<'If', { cond: Expression; body: readonly Statement[]; else_: readonly Statement[] }>
  | Kind<'Set', { target: Expression; value: Expression }>
  | Kind<'Capture', { target: Expression; filter: Expression | null; body: readonly Statement[] }>
  | Kind<'With', { targets: readonly Expression[]; values: readonly Expression[]; body: readonly Statement[] }>
  | Kind<'Macro', { name: string; parameters: Parameters; body: readonly Statement[] }>
  | Kind<'Caller', { call: Expression; parameters: Parameters; body: readonly Statement[] }>
  | Kind<'FilterBlock', { filter: Expression; body: readonly Statement[] }>
  | Kind<'Block', { name: string; scoped: boolean; required: boolean; body: readonly Statement[] }>
  | Kind<'Autoescape', { body: readonly Statement[] }>
  | Kind<'Extends' | 'Import' | 'Include', { template: Expression; names: readonly string[] }>
  | Kind<'FromImport', { template: Expression; names: readonly string[] }>;

export type Node = Expression | Statement;
export type NodeOf<Name extends Node['typename']> = Extract<Node, { typename: Name }>;
