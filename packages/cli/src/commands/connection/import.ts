import { type ConnectionImport, importConnections as importAll } from '@unroll/project/kept-connections';
import { askSecret } from '../../connections/ask-secret.ts';
import { quotedName } from '../../connections/quoted-name.ts';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { ImportConnectionsSettings } from '../../options/connection-options.ts';
import { stringifyJsonLine } from '../../runs/run-result.ts';

/** `flow connection import`: Prompt flow's own connections. */
export async function importConnections(settings: ImportConnectionsSettings, io: Io): Promise<number> {
  const lines = settings.json ? io.stderr : io.stdout;
  const place = settings.project ? 'project' : 'user';
  const { imports, into } = await importAll(settings.from, place, askSecret(io), io, (done) => {
    lines.write(`${lineOf(done)}\n`);
  });
  const imported = imports.filter(({ outcome }) => outcome !== 'unknown-type');
  const leftOut = imports.filter(({ outcome }) => outcome === 'unknown-type');
  if (settings.json) {
    const names = (those: readonly ConnectionImport[]): readonly string[] => those.map(({ name }) => name);
    io.stdout.write(stringifyJsonLine({ imported: names(imported), left_out: names(leftOut) }));
  } else io.stdout.write(`imported ${imported.length} of ${imports.length} connections into ${into}\n`);
  return leftOut.length === 0 ? exitCode.done : exitCode.failed;
}

function lineOf(done: ConnectionImport): string {
  const { name, type } = done;
  switch (done.outcome) {
    case 'unknown-type':
      return `- ${name}: there is no connection type "${type}" here`;
    case 'known':
      return `= ${name}: is here already`;
    case 'kept':
      return `✓ ${name} (${type})`;
    case 'without-secrets': {
      const values = done.missing.map((path) => `${path}=…`).join(' ');
      return `✓ ${name} (${type}), without its secrets: flow connection update ${quotedName(name)} --set ${values}`;
    }
  }
}
