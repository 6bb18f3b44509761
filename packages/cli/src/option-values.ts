import { ProjectFailure } from '@unroll/project';
import type { Options } from './command-spec.ts';

export function textOf(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

export function listOf(options: Options, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? value : [];
}

/** @throws ProjectFailure when the text is no whole number from `least` */
export function wholeNumberOf(options: Options, name: string, least: number): number | undefined {
  const text = textOf(options, name);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least) return number;
  throw new ProjectFailure(`--${name} takes a whole number from ${least}, not "${text}"`);
}
