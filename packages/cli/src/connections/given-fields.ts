import type { JsonObject } from '@unroll/engine';
import { readFieldsFile, type WrittenFields, withField } from '@unroll/project/kept-connections';
import { readPairs } from '../inputs/read-inputs.ts';
import type { Io } from '../io.ts';
import type { CreateConnectionSettings } from '../options/connection-options.ts';

/**
 * What a command line says of a connection: `--file`, with each `--set key=value` laid over it.
 *
 * @throws ProjectFailure when the file cannot be read or holds several connections and none is named
 */
export function readGivenFields(
  { file, name, set }: Pick<CreateConnectionSettings, 'file' | 'name' | 'set'>,
  io: Io,
): WrittenFields {
  const warn = (message: string): void => io.stderr.write(`warning: ${message}\n`);
  const written = file === undefined ? { name, fields: {} } : readFieldsFile(file, name, io, warn);
  const fields = Object.entries(readPairs(set, io)).reduce<JsonObject>(withField, written.fields);
  return { name: name ?? written.name, fields };
}
