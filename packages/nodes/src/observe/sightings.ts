import type { Callers } from './callers.ts';
import type { Sighting } from './sighting.ts';

/** Collects what is seen in this thread, each thing once, until it is told. */
export class Sightings {
  readonly #told = new Map<string, string>();
  #untold: Sighting[] = [];

  read(by: Callers, part: string, value: string): void {
    if (by === undefined) return;
    const key = `${part}\n${by.join('\n')}`;
    if (this.#told.get(key) === value) return;
    this.#told.set(key, value);
    this.#untold.push({ kind: 'read', by, part, value });
  }

  import(from: string, to: string): void {
    this.#once(`import ${from}\n${to}`, { kind: 'import', from, to });
  }

  package(module: string, name: string, from: string): void {
    this.#once(`package ${module}\n${name}`, { kind: 'package', module, name, from });
  }

  /** What was not told yet. */
  take(): readonly Sighting[] {
    const taken = this.#untold;
    if (taken.length > 0) this.#untold = [];
    return taken;
  }

  #once(key: string, sighting: Sighting): void {
    if (this.#told.has(key)) return;
    this.#told.set(key, '');
    this.#untold.push(sighting);
  }
}
