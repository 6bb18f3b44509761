import { basename } from 'node:path';
import { shownPath } from '@unroll/engine';

/** A record is at a place: the absolute path of its file, or `ADDRESS#ID` of a run that an engine keeps. */
export function placeAtEngine(address: string, id: string): string {
  return `${address}#${id}`;
}

export function isAtEngine(place: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(place);
}

/** The id of the run whose record is there. */
export function runIdOf(place: string): string {
  return isAtEngine(place) ? place.slice(place.lastIndexOf('#') + 1) : basename(place, '.run');
}

/** A place as it can be typed again from `folder`. */
export function shownPlace(place: string, folder: string): string {
  return isAtEngine(place) ? place : shownPath(place, folder);
}
