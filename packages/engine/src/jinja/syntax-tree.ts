import type { TemplatePlace } from './template-error.ts';

export type Expression = TemplatePlace &
  (
    | { readonly kind: 'constant'; readonly value: unknown }
    | { readonly kind: 'name'; readonly name: string }
    | { readonly kind: 'list' | 'tuple'; readonly items: readonly Expression[] }
    | { readonly kind: 'dict'; readonly pairs: readonly (readonly [Expression, Expression])[] }
    | { readonly kind: 'attribute'; readonly object: Expression; readonly name: string }
    | { readonly kind: 'item'; readonly object: Expression; readonly key: Expression }
    | { readonly kind: 'slice'; readonly from?: Expression; readonly stop?: Expression; readonly step?: Expression }
    | { readonly kind: 'call'; readonly callee: Expression; readonly given: Arguments }
    | {
        readonly kind: 'filter' | 'test';
        readonly name: string;
        readonly value: Expression | undefined;
        readonly given: Arguments;
      }
    | { readonly kind: 'not' | 'negative' | 'positive'; readonly value: Expression }
    | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
    | { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
    | { readonly kind: 'concat'; readonly parts: readonly Expression[] }
    | {
        readonly kind: 'compare';
        readonly first: Expression;
        readonly rest: readonly (readonly [string, Expression])[];
      }
    | {
        readonly kind: 'condition';
        readonly test: Expression;
        readonly then: Expression;
        readonly otherwise?: Expression;
      }
  );

export interface Arguments {
  readonly positional: readonly Expression[];
  readonly named: readonly (readonly [string, Expression])[];
  readonly spread?: Expression;
  readonly spreadNamed?: Expression;
}

export type Target = TemplatePlace &
  (
    | { readonly kind: 'name'; readonly name: string }
    | { readonly kind: 'namespace'; readonly name: string; readonly attribute: string }
    | { readonly kind: 'tuple'; readonly items: readonly Target[] }
  );

export interface Parameter {
  readonly name: string;
  readonly fallback?: Expression;
}

export type Statement = TemplatePlace &
  (
    | { readonly kind: 'data'; readonly text: string }
    | { readonly kind: 'output'; readonly value: Expression }
    | {
        readonly kind: 'for';
        readonly target: Target;
        readonly over: Expression;
        readonly test?: Expression;
        readonly recursive: boolean;
        readonly body: Body;
        readonly otherwise: Body;
      }
    | { readonly kind: 'if'; readonly branches: readonly (readonly [Expression, Body])[]; readonly otherwise: Body }
    | { readonly kind: 'set'; readonly target: Target; readonly value: Expression }
    | { readonly kind: 'set-block'; readonly target: Target; readonly filter?: Expression; readonly body: Body }
    | { readonly kind: 'macro'; readonly name: string; readonly parameters: readonly Parameter[]; readonly body: Body }
    | {
        readonly kind: 'call-block';
        readonly call: Expression;
        readonly parameters: readonly Parameter[];
        readonly body: Body;
      }
    | { readonly kind: 'filter-block'; readonly filter: Expression; readonly body: Body }
    | { readonly kind: 'with'; readonly bindings: readonly (readonly [Target, Expression])[]; readonly body: Body }
    | { readonly kind: 'block'; readonly name: string; readonly body: Body }
    | { readonly kind: 'scope'; readonly body: Body }
    | { readonly kind: 'load'; readonly tag: string; readonly template: Expression }
  );

export type Body = readonly Statement[];
