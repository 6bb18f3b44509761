import { syncBuiltinESMExports } from 'node:module';
import { observeFiles } from './observe-files.ts';
import { observeModules } from './observe-modules.ts';
import { UnseenWatcher } from './observe-unseen.ts';
import { observeProcessVariables } from './observe-variables.ts';
import { shownFrom } from './part-path.ts';
import { Sightings } from './sightings.ts';

/**
 * Sees from now on what the code of a flow reads in this thread: variables, files, modules, and that it uses what cannot be
 * seen. Once a thread, before code of the user's is loaded.
 *
 * @param folder of the flow, absolute
 */
export function observeThread(folder: string): Sightings {
  const sightings = new Sightings();
  const shown = (path: string): string => shownFrom(folder, path);
  const unseen = new UnseenWatcher(sightings);
  observeModules(sightings, shown, (specifier) => unseen.watchModule(specifier));
  observeFiles(sightings, shown);
  observeProcessVariables(sightings);
  syncBuiltinESMExports();
  return sightings;
}
