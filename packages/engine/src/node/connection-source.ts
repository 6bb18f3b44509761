import type { Connection } from './services.ts';

/** Where connections come from: a file, the environment, the built-in `offline` one. */
export interface ConnectionSource {
  find(name: string): Connection | undefined;
  /** Names that can be found, for suggestions. */
  names(): readonly string[];
  /** What would make a connection of that name be there, where there is none. */
  hint?(name: string): string | undefined;
  /** What keeps one that can be found from being used, in a sentence: `find` throws for it. */
  problem?(name: string): string | undefined;
}
