import { descriptionOf, type JsonValue, type Originals, RemoteValue } from '@unroll/engine';
import { describedValue } from '@unroll/engine/template';

/** Words after a point or in quotes: the names of what a template asks of objects are among them. */
export function namesIn(template: string): readonly string[] {
  const words = template.match(/(?<=\.)[^\W\d]\w*|(?<=["'])[^\W\d]\w*(?=["'.])/g) ?? [];
  return [...new Set(words)].sort();
}

type Variables = Readonly<Record<string, unknown>>;

/** Variables as a template reads them: objects of programs by what was told of them, the rest as it is. */
export function describedVariables(variables: Variables, template: string, originals: Originals = {}): Variables {
  const entries = Object.entries(variables);
  const isObject = ([name, value]: [string, unknown]): boolean =>
    (typeof value === 'object' && value !== null) || Object.hasOwn(originals, name);
  if (!entries.some(isObject)) return variables;
  const names = namesIn(template);
  const described = entries.map(([name, value]) => {
    const told = originals[name] === undefined ? undefined : descriptionOf(originals[name], names);
    return [name, told === undefined ? describedOne(value, names) : describedValue(told)] as const;
  });
  return described.some(([, value], at) => value !== entries[at]?.[1]) ? Object.fromEntries(described) : variables;
}

function describedOne(value: unknown, names: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Number) return value;
  const told = descriptionOf(value, names);
  if (told !== undefined) return describedValue(told);
  if (value instanceof RemoteValue) return value;
  if (Array.isArray(value))
    return sameOr(
      value,
      value.map((item: JsonValue) => describedOne(item, names)),
    );
  return value;
}

function sameOr(list: readonly unknown[], other: readonly unknown[]): readonly unknown[] {
  return other.every((item, at) => item === list[at]) ? list : other;
}
