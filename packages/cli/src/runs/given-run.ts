import { earlierRunName, type RecordSettings } from '@unroll/project';
import type { CommandCall } from '../command-spec.ts';
import { textOf } from '../option-values.ts';
import { hostOf } from '../project-host.ts';

/** The run whose outputs stand in: `--since`, unless `--no-cache` leaves it alone. */
export function sinceOf(call: CommandCall): string | undefined {
  const given = textOf(call.options, 'since');
  return given === undefined || call.options['cache'] === false ? undefined : earlierRunName(given, hostOf(call));
}

/** What the command line says of a record that is begun. */
export function givenRecord(call: CommandCall): Pick<RecordSettings, 'id' | 'since' | 'durable'> {
  const id = textOf(call.options, 'name');
  const since = sinceOf(call);
  return { ...(id === undefined ? {} : { id }), since, durable: call.options['durable'] === true };
}
