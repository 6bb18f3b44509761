import type { FingerprintInputs, PrepareContext } from '@unroll/engine';
import { createPackageLookup, type PackageLookup } from '../identity/package-imports.ts';
import { allNamesNow, contentNow, linkNow, missing, namesNow, textNow } from './content-now.ts';
import type { ReadPart } from './observed-reads.ts';
import { pathShown, shownFrom } from './part-path.ts';
import { partStart } from './sighting.ts';
import { allVariablesDigest, variableDigest } from './variable-digest.ts';

type Surroundings = Pick<PrepareContext, 'files' | 'environment'>;

/** What a part is now; undefined where nobody can tell. */
type PartNow = (part: string) => string | undefined | Promise<string | undefined>;

/**
 * What parts are now that code was seen to read in an earlier run.
 *
 * @param variables of the process the code runs in
 */
export function partsNow(
  { files: { folder }, environment }: Surroundings,
  variables: Readonly<Record<string, string | undefined>>,
  packageNow: (name: string) => string | undefined | Promise<string | undefined>,
): (earlier: FingerprintInputs) => Promise<FingerprintInputs> {
  const at = (look: (path: string) => string) => (shown: string) => look(pathShown(folder, shown));
  const looks: readonly (readonly [start: string, now: (name: string) => ReturnType<PartNow>])[] = [
    [partStart.allNames, at(allNamesNow)],
    [partStart.names, at(namesNow)],
    [partStart.file, at(contentNow)],
    [partStart.link, at(linkNow)],
    [partStart.code, at(textNow)],
    [partStart.package, packageNow],
    [partStart.variable, (name) => variableDigest(name, variables[name])],
    [partStart.flowVariable, (name) => variableDigest(name, environment[name])],
    [partStart.allVariables, () => allVariablesDigest(variables)],
    [partStart.allFlowVariables, () => allVariablesDigest(environment)],
    [partStart.workingFolder, () => shownFrom(folder, process.cwd())],
  ];
  const known = new Map<string, ReturnType<PartNow>>();
  const now = (part: string): ReturnType<PartNow> => {
    const look = looks.find(([start]) => part.startsWith(start));
    return look?.[1](part.slice(look[0].length));
  };
  return async (earlier) => {
    const found: [string, string][] = [];
    for (const part of Object.keys(earlier)) {
      if (!known.has(part)) known.set(part, now(part));
      const value = await known.get(part);
      if (value !== undefined) found.push([part, value]);
    }
    return Object.fromEntries(found);
  };
}

/** The parts of what a thread or worker tells: values of variables as digests, packages by their versions. */
export function readPart(
  { files: { folder }, environment }: Surroundings,
  variables: Readonly<Record<string, string | undefined>>,
  lookup: PackageLookup = createPackageLookup(),
): ReadPart {
  return (sighting) => {
    if (sighting.kind === 'package') return scriptPackage(sighting, folder, lookup);
    const { part, value } = sighting;
    if (part.startsWith(partStart.flowVariable)) {
      const name = part.slice(partStart.flowVariable.length);
      return [part, variableDigest(name, environment[name])];
    }
    if (part.startsWith(partStart.variable)) {
      const name = part.slice(partStart.variable.length);
      return [part, variableDigest(name, variables[name])];
    }
    if (part === partStart.allVariables) return [part, allVariablesDigest(variables)];
    return [part, part === partStart.allFlowVariables ? allVariablesDigest(environment) : value];
  };
}

/** Named as the flow's own folder would find it, else with the folder that does. */
function scriptPackage(
  { name, from }: { readonly name: string; readonly from: string },
  folder: string,
  lookup: PackageLookup,
): readonly [string, string] {
  const found = lookup.identityOf(name, from)?.identity ?? missing;
  const isOfFlow = (lookup.identityOf(name, folder)?.identity ?? missing) === found;
  return [partStart.package + (isOfFlow ? name : `${name} for ${shownFrom(folder, from)}`), found];
}

/** What a package of npm is now. */
export function scriptPackageNow(folder: string, lookup: PackageLookup = createPackageLookup()) {
  return (told: string): string => {
    const [name = '', from] = told.split(' for ');
    const seenFrom = from === undefined ? folder : pathShown(folder, from);
    return lookup.identityOf(name, seenFrom)?.identity ?? missing;
  };
}
