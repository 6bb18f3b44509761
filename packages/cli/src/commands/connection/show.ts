import { type JsonObject, stringifyJson } from '@unroll/engine';
import { describeConnection } from '@unroll/project/kept-connections';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { ShowConnectionSettings } from '../../options/connection-options.ts';
import { nameOf } from './name-of.ts';

/** `flow connection show`: a connection without its secrets. */
export async function show(settings: ShowConnectionSettings, io: Io): Promise<number> {
  const { connectionsFile, project, json } = settings;
  const place = project ? 'project' : 'nearest';
  const { created, modified, ...described } = describeConnection(nameOf(settings), { place, connectionsFile }, io);
  const times = created === undefined || modified === undefined ? {} : { created, modified };
  if (json) {
    io.stdout.write(`${stringifyJson({ ...described, ...times }, 2)}\n`);
    return exitCode.done;
  }
  const { configs, secrets, ...head } = described;
  const fields = Object.entries<JsonObject[string]>({ ...head, ...times, ...configs, ...secrets });
  const width = Math.max(...fields.map(([key]) => key.length));
  io.stdout.write(fields.map(([key, value]) => `${key.padEnd(width)}  ${String(value)}\n`).join(''));
  return exitCode.done;
}
