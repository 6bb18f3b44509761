import { stringifyJson } from '@unroll/engine';
import { composeConnections, shownStore } from '@unroll/project';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { ListConnectionsSettings } from '../../options/connection-options.ts';
import { diagnosticsText } from '../../text/diagnostics-text.ts';
import { styleOf } from '../../text/style.ts';
import { table } from '../../text/table.ts';

/** `flow connection list`: every connection that can be had here, and where it is described. One that cannot be used is marked, and no bar to the others. */
export async function list(settings: ListConnectionsSettings, io: Io): Promise<number> {
  const source = composeConnections(io, io.folder, settings.connectionsFile);
  const found = source.list().map(({ name, type, from, problem }) => ({
    name,
    type,
    from: from === 'environment' ? from : shownStore(from, io),
    ...(problem === undefined ? {} : { problem }),
  }));
  const doubts = source.doubts();
  if (doubts.length > 0) io.stderr.write(`${diagnosticsText(doubts, styleOf(io.stderr, io, settings.color))}\n`);
  if (settings.json) io.stdout.write(`${stringifyJson(found, 2)}\n`);
  else if (found.length === 0) io.stdout.write('no connections yet: flow connection create makes one\n');
  else {
    const style = styleOf(io.stdout, io, settings.color);
    const columns = [{ title: 'name' }, { title: 'type' }, { title: 'from' }];
    const rows = found.map(({ name, type, from, problem }) => [
      { text: name, paint: problem === undefined ? style.name : style.bad },
      { text: type },
      { text: from },
    ]);
    io.stdout.write(`${table(columns, rows, style.dim)}\n`);
    for (const { problem } of found) if (problem !== undefined) io.stdout.write(`${style.bad('✗')} ${problem}\n`);
  }
  return exitCode.done;
}
