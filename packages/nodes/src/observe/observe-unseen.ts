import { syncBuiltinESMExports } from 'node:module';
import { callersOf } from './callers.ts';
import { partStart } from './sighting.ts';
import type { Sightings } from './sightings.ts';

type AnyFunction = (this: unknown, ...given: unknown[]) => unknown;

interface Way {
  /** What code gets at through it. */
  readonly what: string;
  readonly names: string;
  /** Property of the module that holds them; absent: the module itself. */
  readonly of?: string;
}

const namesOfDns =
  'lookup lookupService resolve resolve4 resolve6 resolveAny resolveCname resolveMx resolveNs resolveSrv resolveTxt reverse Resolver';

/** Functions of Node's modules through which code gets at what nobody can compare. */
const ways: Readonly<Record<string, Way>> = {
  child_process: { what: 'child process', names: 'spawn spawnSync exec execSync execFile execFileSync fork' },
  cluster: { what: 'child process', names: 'fork' },
  http: { what: 'network', names: 'request get ClientRequest' },
  https: { what: 'network', names: 'request get' },
  http2: { what: 'network', names: 'connect' },
  net: { what: 'network', names: 'connect', of: 'Socket' },
  dgram: { what: 'network', names: 'bind connect send', of: 'Socket' },
  dns: { what: 'network', names: namesOfDns },
  'dns/promises': { what: 'network', names: namesOfDns },
  worker_threads: { what: 'worker thread', names: 'Worker' },
  inspector: { what: 'inspector', names: 'open Session' },
  wasi: { what: 'WASI', names: 'WASI' },
  sqlite: { what: 'database', names: 'DatabaseSync' },
};

/** Sees that code uses what cannot be seen: that it is used is all that can be told. */
export class UnseenWatcher {
  readonly #sightings: Sightings;
  readonly #watched = new Set<string>();

  constructor(sightings: Sightings) {
    this.#sightings = sightings;
    this.#watch('network', globalThis, ['fetch']);
    this.#watch('native addon', process, ['dlopen', 'binding']);
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
    const way = ways[name];
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
          sightings.read(callersOf(traps.construct), partStart.unseen + what, 'used');
          return Reflect.construct(target, given, made) as object;
        },
      };
      functions[name] = new Proxy(original, traps);
    }
  }
}
