import type { RequestPlace } from '@unroll/project';

/** Tells where a request is on record: `x-flow-run: <run>/<line>`; nothing where it is not. */
export function placeHeader(place: RequestPlace | undefined): Readonly<Record<string, string>> {
  return place === undefined ? {} : { 'x-flow-run': `${place.run}/${place.line}` };
}
