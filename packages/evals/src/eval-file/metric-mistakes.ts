import { expectedOf, isMapping, type JsonValue, kindOf } from '@unroll/engine';
import type * as z from 'zod';

export function writtenKind(value: JsonValue): string {
  if (Array.isArray(value)) return 'list';
  return isMapping(value) ? 'mapping' : typeof value === 'string' ? 'text' : 'other';
}

/** `{row.expected.ids}`, which YAML reads as a mapping. */
export function bareReference(value: JsonValue): string | undefined {
  const [[name, member] = [], ...others] = isMapping(value) ? Object.entries(value) : [];
  return name !== undefined && member === null && others.length === 0 && name.includes('.') ? name : undefined;
}

export const targetForms = 'for instance outputs.answer, agent_1.function_call.name, hits[-1].id, function[*]';

export function isFile(name: string): boolean {
  return /\.(ts|js|mjs|py)$/.test(name);
}

export function otherEvaluators(name: string, known: readonly string[]): string {
  if (isFile(name)) return 'paths start at the folder of this file';
  if (/^[./]|\.\w+$/.test(name)) return 'a file of yours that measures ends in .py, .ts, .js or .mjs';
  return `there are ${known.join(', ')}`;
}

export function unknownEvaluator(name: string): string {
  return isFile(name) ? `there is no evaluator file ${name}` : `unknown evaluator "${name}"`;
}

/** Our own rules say in their message what must stand there. */
export function wrongParameter(issue: z.core.$ZodIssue, value: JsonValue): string {
  if (issue.code === 'custom') return `must be ${issue.message}`;
  return `must be ${expectedOf(issue)}, not ${kindOf(value)}`;
}
