import { type Diagnostic, placed, type YamlDocument } from '@unroll/engine';

type Path = readonly (string | number)[];

/** A mistake in an eval.yaml, at its place. */
export function problem(
  document: Pick<YamlDocument, 'locate'>,
  code: string,
  message: string,
  {
    path,
    part = 'value',
    help,
  }: { readonly path: Path; readonly part?: 'key' | 'value'; readonly help?: string | undefined },
): Diagnostic {
  return {
    severity: 'error',
    code,
    message,
    ...placed(document, path, part),
    ...(help === undefined ? {} : { help }),
  };
}

/** `metric "grounded"`, or `metric 3` where it has no name. */
export function metricName(value: unknown, place: number): string {
  const { name } = (typeof value === 'object' && value !== null ? value : {}) as { readonly name?: unknown };
  return typeof name === 'string' && name !== '' ? `metric "${name}"` : `metric ${place + 1}`;
}
