import { changedMeanwhile, type FingerprintInputs, unseenPart } from '@unroll/engine';
import { partStart, type Sighting } from './sighting.ts';
import { shellVariables } from './variable-digest.ts';

/** Of what code reads, so much is told one by one. */
const maxParts = 1000;

/** What a sighting says of what was read, in the words of records. */
export type ReadPart = (
  sighting: Exclude<Sighting, { readonly kind: 'import' }>,
) => readonly [part: string, value: string];

/**
 * What the code of a flow was seen to read, by the module that read it. What a module reads counts for everything that
 * imports it, since it may keep it and give it to others.
 */
export class ObservedReads {
  readonly #imports = new Map<string, Set<string>>();
  readonly #reads = new Map<string, Map<string, string>>();
  readonly #partOf: ReadPart;
  readonly #nodeMaker: string | undefined;
  readonly #known = new Map<string, { readonly version: number; readonly parts: FingerprintInputs }>();
  #version = 0;

  /** @param nodeMaker a module that makes functions into nodes: it, and what is imported for it alone, count by their versions */
  constructor(partOf: ReadPart, nodeMaker?: string) {
    this.#partOf = partOf;
    this.#nodeMaker = nodeMaker;
  }

  add(sightings: readonly Sighting[]): void {
    for (const sighting of sightings) this.#add(sighting);
  }

  /** All that the modules read that code is made of which begins in `entries`. The same object until more is seen. */
  readsOf(entries: readonly string[]): FingerprintInputs {
    const key = entries.join('\n');
    const known = this.#known.get(key);
    if (known?.version === this.#version) return known.parts;
    const parts = this.#collect(entries);
    const isSame = known !== undefined && sameParts(known.parts, parts);
    this.#known.set(key, { version: this.#version, parts: isSame ? known.parts : parts });
    return isSame ? known.parts : parts;
  }

  #add(sighting: Sighting): void {
    if (sighting.kind === 'import') {
      const known = this.#imports.get(sighting.from) ?? new Set();
      this.#imports.set(sighting.from, known);
      if (!known.has(sighting.to)) this.#version += 1;
      known.add(sighting.to);
      return;
    }
    const [part, value] = this.#partOf(sighting);
    const modules = sighting.kind === 'package' ? [sighting.module] : sighting.by;
    for (const module of modules.length === 0 ? [anyModule] : modules) this.#read(module, part, value);
  }

  #read(module: string, part: string, value: string): void {
    const reads = this.#reads.get(module) ?? new Map<string, string>();
    this.#reads.set(module, reads);
    const known = reads.get(part);
    if (known === value || known === changedMeanwhile) return;
    reads.set(part, known === undefined ? value : changedMeanwhile);
    this.#version += 1;
  }

  #collect(entries: readonly string[]): FingerprintInputs {
    const own = this.#importedBy([anyModule, ...entries], this.#nodeMaker);
    const parts = new Map<string, string>();
    for (const module of this.#importedBy(own, undefined)) {
      const isWhole = own.has(module) && module !== this.#nodeMaker;
      const reads = [...(this.#reads.get(module) ?? [])];
      addParts(parts, isWhole ? reads : reads.filter(([part]) => part.startsWith(partStart.package)));
    }
    // Going through all variables reads each of them, those that shells change by themselves too.
    if (parts.has(partStart.allVariables)) for (const name of shellVariables) parts.delete(partStart.variable + name);
    if (parts.size <= maxParts) return Object.fromEntries([...parts].sort(([one], [other]) => (one < other ? -1 : 1)));
    return { [`${unseenPart}more than ${maxParts} files and variables`]: 'used' };
  }

  /** The modules, and all that they import, directly or not, but through `except`. */
  #importedBy(modules: Iterable<string>, except: string | undefined): ReadonlySet<string> {
    const found = new Set(modules);
    for (const module of found) {
      if (module === except) continue;
      for (const imported of this.#imports.get(module) ?? []) found.add(imported);
    }
    return found;
  }
}

const anyModule = '';

function addParts(parts: Map<string, string>, more: Iterable<readonly [part: string, value: string]>): void {
  for (const [part, value] of more) {
    const known = parts.get(part);
    parts.set(part, known === undefined || known === value ? value : changedMeanwhile);
  }
}

function sameParts(one: FingerprintInputs, other: FingerprintInputs): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
