import type * as z from 'zod';
import { toDotPath } from 'zod/v4/core';

/** What the first thing is that does not fit a schema, and where: `choices[0].message: expected object, received null`. */
export function firstIssue({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined) return '';
  const place = toDotPath(issue.path);
  const text = issue.message
    .replace(/^Invalid input: /, '')
    .replace('expected tuple', 'expected a list')
    .replace(/, received undefined$/, ', found nothing');
  return place === '' ? text : `${place}: ${text}`;
}
