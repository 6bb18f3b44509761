import type { EngineCatalog, EngineRuns } from '@unroll/project';
import type { Io } from '../io.ts';
import type { OutputSettings } from '../output-settings.ts';
import { engineAddress, loadQueue } from './with-engine.ts';

/**
 * The runs of the engine that is named. Who types --engine means those; FLOW_ENGINE alone stands behind the folder, so that nothing
 * is asked of a server for a run that is here.
 */
export function engineRunsOf(settings: OutputSettings, io: Io): EngineRuns | undefined {
  const address = engineAddress(settings, io);
  if (address === undefined) return undefined;
  let opened: Promise<EngineCatalog> | undefined;
  const catalog = (): Promise<EngineCatalog> => {
    opened ??= openCatalog(address, io);
    return opened;
  };
  return { isFirst: settings.engine !== undefined, catalog };
}

async function openCatalog(address: string, { redactor, closing }: Io): Promise<EngineCatalog> {
  const { openEngineCatalog } = await loadQueue();
  const catalog = await openEngineCatalog(address, { redactor, applicationName: 'flow' });
  closing.push(catalog);
  return catalog;
}
