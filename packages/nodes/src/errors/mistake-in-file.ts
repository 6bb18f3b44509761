import { type Diagnostic, didYouMean, type FlowFiles, type Span, wayIntoFolder } from '@unroll/engine';

export type Path = readonly (string | number)[];

/** Where a part of what is looked at is written. */
export type Locate = (path: Path, part?: 'key' | 'value') => Span | undefined;

/** Where a part of an entry is written; of one that is missing the name of what it is missing in, else all of that. */
export function nearestPlace(locate: Locate, path: Path, part?: 'key' | 'value'): Span | undefined {
  const own = locate(path, part);
  if (own !== undefined || path.length <= 1) return own;
  const outer = path.slice(0, -1);
  return (path.at(-1) === 'name' ? undefined : locate([...outer, 'name'])) ?? nearestPlace(locate, outer);
}

/** A file that is not there, or not in the flow's folder. */
export function missingFile(
  path: string,
  span: Span | undefined,
  files: Pick<FlowFiles, 'list' | 'resolve'>,
): Diagnostic {
  if (files.resolve(path) === undefined) {
    return mistake('FILE_OUTSIDE', `"${path}" leads out of the folder of the flow`, span, wayIntoFolder(path));
  }
  return mistake('FILE_MISSING', `there is no file "${path}"`, span, didYouMean(path, files.list()));
}

export function mistake(code: string, message: string, span: Span | undefined, help?: string): Diagnostic {
  return {
    severity: 'error',
    code,
    message,
    span,
    help,
  };
}
