import type { JsonObject, RunReader } from '@unroll/engine';
import { type BulkSettings, defaultBulkSettings } from '../bulk/bulk-settings.ts';
import { recordedCassette, settingsFromRecord } from '../bulk/recorded-settings.ts';
import { type FoundFlow, findFlow } from '../flows/find-flow.ts';
import { requireInside } from '../host/inside-folder.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { earlierRunName } from '../records/since-run.ts';

/** A recorded run that changes are tried on: its flow as it is now, and how it was run. */
export interface TriedRun {
  readonly id: string;
  readonly reader: RunReader;
  readonly found: FoundFlow;
  /** Those it was run with, but for its rows and its name. */
  readonly settings: BulkSettings;
}

/**
 * @param place of its record
 * @throws ProjectFailure where its flow is gone or lies elsewhere, or it cannot be run again
 */
export async function findTriedRun(id: string, place: string, reader: RunReader, host: ProjectHost): Promise<TriedRun> {
  const { info } = reader;
  requireInside('flow', info.flowPath, host);
  const found = findFlow(info.flowPath, host);
  const defaults = defaultBulkSettings(host);
  const isBulk = info.options?.['bulk'] !== undefined || info.options?.['imported'] === true;
  const recorded = isBulk
    ? settingsFromRecord(info, { environment: {}, init: {} })
    : withVariant(defaults, info.options);
  const { name: _name, rows: _rows, sample: _sample, run: _run, budget: _budget, ...settings } = recorded;
  const cassette = recordedCassette(info);
  return {
    ...{ id, reader, found },
    settings: {
      ...settings,
      repeat: 1,
      since: await earlierRunName(place, host),
      // A tape that was recorded is complete: only one that was played stands for the service.
      cassette: cassette !== undefined && 'replay' in cassette ? cassette : undefined,
    },
  };
}

function withVariant(settings: BulkSettings, options: JsonObject = {}): BulkSettings {
  const { variant } = options;
  return typeof variant === 'string' ? { ...settings, variant } : settings;
}
