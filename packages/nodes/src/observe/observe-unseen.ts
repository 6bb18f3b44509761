import { syncBuiltinESMExports } from 'node:module';
import { callersOf, isIndexOpened } from './callers.ts';
import { blindAddon } from './native-addons.ts';
import { partStart } from './sighting.ts';
import type { Sightings } from './sightings.ts';
import { unseenWays } from './unseen-ways.ts';

type AnyFunction = (this: unknown, ...given: unknown[]) => unknown;

/** Sees that code uses what cannot be seen: that it is used is all that can be told. */
export class UnseenWatcher {
  readonly #sightings: Sightings;
  readonly #watched = new Set<string>();

  constructor(sightings: Sightings) {
    this.#sightings = sightings;
    this.#watch('network', globalThis, ['fetch']);
    this.#watch('native addon', process, ['binding']);
    this.#watchAddons();
    this.watchModule('net');
    const { getBuiltinModule } = process;
    process.getBuiltinModule = ((name: string) => {
      this.watchModule(name);
      return getBuiltinModule(name);
    }) as typeof getBuiltinModule;
  }

  /** Called before code gets a module of Node's: to load them all takes longer than the thread. */
  watchModule(specifier: string): void {
    const name = specifier.replace(/^node:/, '');
    const way = unseenWays[name];
    if (way === undefined || this.#watched.has(name)) return;
    this.#watched.add(name);
    const module = process.getBuiltinModule(`node:${name}`) as unknown as Record<
      string,
      { readonly prototype: object }
    >;
    const holder = way.of === undefined ? module : module[way.of]?.prototype;
    if (holder !== undefined) this.#watch(way.what, holder, way.names.split(' '));
    syncBuiltinESMExports();
  }

  /** Node's own loader calls it for a `require`: the file tells whose addon it is. */
  #watchAddons(): void {
    const sightings = this.#sightings;
    const traps = {
      apply(target: AnyFunction, self: unknown, given: unknown[]): unknown {
        const addon = blindAddon(given[1]);
        if (addon !== undefined) {
          const by = [addon.module, ...(callersOf(traps.apply) ?? [])];
          sightings.read(by, partStart.unseen + addon.what, 'used');
        }
        return Reflect.apply(target, self, given);
      },
    };
    process.dlopen = new Proxy(process.dlopen as AnyFunction, traps) as typeof process.dlopen;
  }

  #watch(what: string, holder: object, names: readonly string[]): void {
    const functions = holder as Record<string, AnyFunction | undefined>;
    const sightings = this.#sightings;
    for (const name of names) {
      const original = functions[name];
      if (typeof original !== 'function') continue;
      const traps = {
        apply(target: AnyFunction, self: unknown, given: unknown[]): unknown {
          sightings.read(callersOf(traps.apply), partStart.unseen + what, 'used');
          return Reflect.apply(target, self, given);
        },
        construct(target: AnyFunction, given: unknown[], made: AnyFunction): object {
          if (!isIndexOpened(traps.construct))
            sightings.read(callersOf(traps.construct), partStart.unseen + what, 'used');
          return Reflect.construct(target, given, made) as object;
        },
      };
      functions[name] = new Proxy(original, traps);
    }
  }
}
