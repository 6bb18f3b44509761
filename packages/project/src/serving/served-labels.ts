import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isMapping, type JsonObject, type JsonValue, jsonIn, mappingOf, shownPath } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { reasonOf } from '../host/refusal.ts';

type Judgement = 'pass' | 'fail' | 'unsure';

/** Where labels that callers put beside rows of a server are kept. */
export function servedLabelsFile({ runsFolder }: Pick<ProjectHost, 'runsFolder'>): string {
  return join(runsFolder, 'labels.jsonl');
}

/**
 * What callers said of the rows of a run, the last they put of each: by name, then by `line/repeat`. `judgement` (`pass`, `fail`,
 * `unsure`) and `pass` are of the answer; every other truth value is a label of its own name.
 *
 * @throws ProjectFailure where the file cannot be read, or naming the first line that is no label
 */
export function readServedLabels(run: string, host: ProjectHost): ReadonlyMap<string, ReadonlyMap<string, Judgement>> {
  const file = servedLabelsFile(host);
  const shown = shownPath(file, host.folder);
  const ofRows = new Map<string, JsonObject>();
  for (const [at, line] of fileText(file, shown).split('\n').entries()) {
    if (!line.includes(run)) continue;
    const { place, labels } = readLine(line, `${shown}:${at + 1}`);
    if (place.startsWith(`${run}/`)) ofRows.set(place.slice(run.length + 1), labels);
  }
  const found = new Map<string, Map<string, Judgement>>();
  for (const [line, labels] of ofRows)
    for (const [name, judgement] of judgementsOf(labels)) {
      const named = found.get(name) ?? new Map<string, Judgement>();
      found.set(name, named.set(`${line}/0`, judgement));
    }
  return found;
}

function fileText(file: string, shown: string): string {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(file, 'utf8') : '';
  } catch (error) {
    throw new ProjectFailure(`${shown} cannot be read: ${reasonOf(error)}`, { code: 'LabelFileError' });
  }
}

function readLine(line: string, where: string): { readonly place: string; readonly labels: JsonObject } {
  const read = jsonIn(line) ?? null;
  const { place, labels } = mappingOf(read);
  if (typeof place === 'string' && isMapping(labels)) return { place, labels };
  throw new ProjectFailure(`${where}: it is no label`, {
    code: 'LabelFileError',
    help: 'Mend the line or take it out.',
  });
}

function judgementsOf(labels: JsonObject): readonly (readonly [string, Judgement])[] {
  return Object.entries(labels).flatMap(([name, value]) => {
    const judgement = judgementOf(name, value);
    return judgement === undefined ? [] : [[name === 'pass' || name === 'judgement' ? 'answer' : name, judgement]];
  });
}

/** What is wrong with what labels say of the answer: it would be kept, and count for nothing or against itself. */
export function labelMistake(labels: JsonObject): string | undefined {
  const { judgement = null, pass = null } = labels;
  if (judgement !== null && judgementOf('judgement', judgement) === undefined)
    return 'judgement must be pass, fail or unsure.';
  if (pass !== null && typeof pass !== 'boolean') return 'pass must be true or false.';
  const ofAnswer = new Set(judgementsOf(labels).flatMap(([name, said]) => (name === 'answer' ? [said] : [])));
  return ofAnswer.size > 1 ? 'judgement, pass and answer are all of the answer, and say different things.' : undefined;
}

function judgementOf(name: string, value: JsonValue): Judgement | undefined {
  if (typeof value === 'boolean') return value ? 'pass' : 'fail';
  return name === 'judgement' && (value === 'pass' || value === 'fail' || value === 'unsure') ? value : undefined;
}
