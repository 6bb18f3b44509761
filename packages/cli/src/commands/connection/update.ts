import { doubtfulFields, updateConnection } from '@unroll/project/kept-connections';
import { askSecret } from '../../connections/ask-secret.ts';
import { readGivenFields } from '../../connections/given-fields.ts';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { UpdateConnectionSettings } from '../../options/connection-options.ts';
import { stringifyJsonLine } from '../../runs/run-result.ts';
import { nameOf } from './name-of.ts';

/** `flow connection update`: lays new values over a connection; a secret that is only held open stays. */
export async function update(settings: UpdateConnectionSettings, io: Io): Promise<number> {
  const name = nameOf(settings);
  const given = readGivenFields({ ...settings, name }, io);
  const changed = updateConnection(name, given.fields, settings.project ? 'project' : 'nearest', io);
  for (const warning of doubtfulFields(changed.fields)) io.stderr.write(`warning: ${warning}\n`);
  const { from } = await changed.keep(askSecret(io));
  io.stdout.write(
    settings.json ? stringifyJsonLine({ updated: name, from }) : `updated connection "${name}" in ${from}\n`,
  );
  return exitCode.done;
}
