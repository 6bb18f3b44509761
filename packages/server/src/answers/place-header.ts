import type { RequestPlace } from '@unroll/project';
import { errorAnswer } from './json-answer.ts';

/**
 * Tells where a request is on record: `x-flow-run: <run>/<line>`; nothing where it is not. What of a name cannot stand in a header is
 * written as in an address (`%E7…`).
 */
export function placeHeader(place: RequestPlace | undefined): Readonly<Record<string, string>> {
  return place === undefined ? {} : { 'x-flow-run': placePath(place) };
}

/** `<run>/<line>` as a part of an address. */
export function placePath({ run, line }: RequestPlace): string {
  return `${encodeURIComponent(run)}/${line}`;
}

/** What a client sent back of it, as records name it. */
export function readPlace(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
}

/** The number of a row as an address names it, in the one way it is written; -1 for what is none. */
export function lineOf(written: string): number {
  return /^(0|[1-9]\d{0,14})$/.test(written) ? Number(written) : -1;
}

export function noSuchRow(): Response {
  return errorAnswer(404, 'RowNotFound', 'There is no such row among those that servers of these flows recorded.');
}
