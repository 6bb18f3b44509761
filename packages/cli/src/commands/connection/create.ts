import { ProjectFailure } from '@unroll/project';
import { createConnection, doubtfulFields } from '@unroll/project/kept-connections';
import { askSecret } from '../../connections/ask-secret.ts';
import { readGivenFields } from '../../connections/given-fields.ts';
import { quotedName } from '../../connections/quoted-name.ts';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { CreateConnectionSettings } from '../../options/connection-options.ts';
import { stringifyJsonLine } from '../../runs/run-result.ts';

/** `flow connection create`: keeps a connection; one of the same name is replaced, as in Prompt flow. */
export async function create(settings: CreateConnectionSettings, io: Io): Promise<number> {
  const { name, fields } = readGivenFields(settings, io);
  if (name === undefined) {
    throw new ProjectFailure('the connection needs a name', { help: 'Give one with --name, or in the file.' });
  }
  for (const warning of doubtfulFields(fields)) io.stderr.write(`warning: ${warning}\n`);
  const place = settings.project ? 'project' : 'user';
  const { from, hasReplaced } = await createConnection({ name, fields }, place, askSecret(io), io);
  const word = hasReplaced ? 'replaced' : 'created';
  if (settings.json) {
    io.stdout.write(stringifyJsonLine({ [word]: name, from }));
    return exitCode.done;
  }
  io.stdout.write(`${word} connection "${name}" in ${from}\n`);
  io.stdout.write(`next    flow connection test ${quotedName(name)}\n`);
  return exitCode.done;
}
