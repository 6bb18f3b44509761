import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { type FlowPlace, isPromptyPath, locateFlow, meantText, nearestName } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import type { System } from '../host/project-host.ts';
import { requireName } from '../host/required-names.ts';
import { addressRefusal, isAddress } from '../host/workspace-address.ts';
import { codeHelp, helpForOtherFile, helpForOtherFolder } from './other-than-flow.ts';

export type FoundFlow = FlowPlace;

/**
 * The flow a user names by its folder or its file, from the project's folder.
 *
 * @throws ProjectFailure with the nearest name when there is none
 */
export function findFlow(given: string | undefined, { folder }: Pick<System, 'folder'>): FoundFlow {
  if (given === undefined) {
    throw new ProjectFailure('which flow? Give its folder or its flow.dag.yaml', { help: 'flow help run shows how.' });
  }
  requireName(given, 'a flow');
  if (isAddress(given)) throw addressRefusal(given, 'flow');
  const path = resolve(folder, given);
  const found = locateFlow(path);
  if (found.ok) {
    const help = found.file === path ? helpForOtherFile(given) : undefined;
    if (help === undefined) return { file: found.file, folder: found.folder };
    throw new ProjectFailure(`${given} is no flow`, { code: 'FlowNotFound', help });
  }
  if (found.isShut) throw new ProjectFailure(found.message.replaceAll(path, given), { code: 'FlowNotFound' });
  const meant = existsSync(path) ? flowsBelow(path) : nearTo(path);
  const shown = meant.map((one) => relative(folder, one).replaceAll(sep, '/'));
  const others = shown.length > 0 ? meantFlows(given, shown) : helpForOtherFolder(given, path);
  throw new ProjectFailure(found.message.replaceAll(path, given), {
    code: 'FlowNotFound',
    help: others ?? entryHelp(given) ?? 'flow init makes a new flow.',
  });
}

function meantFlows(given: string, [first = '', ...others]: readonly string[]): string {
  const isSame = first.normalize('NFC') === given.normalize('NFC');
  return isSame ? meantText(given, first) : `did you mean ${[first, ...others].map((one) => `"${one}"`).join(' or ')}?`;
}

/** Prompt flow also tests a function that no file names. */
function entryHelp(given: string): string | undefined {
  return /^[\w.]+:\w+$/.test(given) ? codeHelp(given) : undefined;
}

function nearTo(path: string): readonly string[] {
  const nearest = nearestName(basename(path), namesIn(dirname(path)));
  return nearest === undefined ? [] : [resolve(dirname(path), nearest)];
}

const maxMeant = 3;
const definitions = ['flow.dag.yaml', 'flow.flex.yaml'];

function flowsBelow(folder: string): readonly string[] {
  const holding = namesIn(folder).map((name) => resolve(folder, name));
  const isFlow = (one: string): boolean =>
    isPromptyPath(one) ||
    (definitions.includes(basename(one)) && locateFlow(one).ok) ||
    definitions.some((file) => existsSync(resolve(one, file)));
  return holding.filter(isFlow).slice(0, maxMeant);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch {
    return [];
  }
}
