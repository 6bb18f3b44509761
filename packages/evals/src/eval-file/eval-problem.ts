import { type Diagnostic, nearestName, nearestSpan, type YamlDocument } from '@unroll/engine';

type Path = readonly (string | number)[];

/**
 * A mistake in an eval.yaml, at its place.
 *
 * @param path undefined for what was said beside the file
 */
export function problem(
  document: Pick<YamlDocument, 'locate'>,
  code: string,
  message: string,
  {
    path,
    part = 'value',
    help,
  }: { readonly path: Path | undefined; readonly part?: 'key' | 'value'; readonly help?: string | undefined },
): Diagnostic {
  return {
    severity: 'error',
    code,
    message,
    ...(path === undefined ? {} : { span: nearestSpan(document, path, part) }),
    help,
  };
}

/** The key meant by one that is not there: the nearest, or one that it begins with or that begins with it. */
export function meantKey(name: string, known: readonly string[]): string | undefined {
  const isLonger = (one: string, other: string): boolean => other.length >= 3 && one.startsWith(other);
  return nearestName(name, known) ?? known.find((key) => isLonger(name, key) || isLonger(key, name));
}

/** `metric "grounded"`, or `metric 3` where it has no name. */
export function metricName(value: unknown, place: number): string {
  const { name } = (typeof value === 'object' && value !== null ? value : {}) as { readonly name?: unknown };
  return typeof name === 'string' && name !== '' ? `metric "${name}"` : `metric ${place + 1}`;
}

/** The way out where somebody writes a share in per cent. */
export function percentHelp(percent: number): string {
  return `${percent} % is written ${Number((percent / 100).toPrecision(6))}`;
}
