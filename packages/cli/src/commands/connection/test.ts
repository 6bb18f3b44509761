import { type ConnectionTest, testConnection } from '@unroll/nodes';
import { composeConnections, notFound } from '@unroll/project';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { TestConnectionSettings } from '../../options/connection-options.ts';
import { createStyle, usesColor } from '../../text/style.ts';
import { nameOf } from './name-of.ts';

/** `flow connection test`: one cheap real call. */
export async function test(settings: TestConnectionSettings, io: Io): Promise<number> {
  const name = nameOf(settings);
  const source = composeConnections(io, io.folder, settings.connectionsFile);
  const connection = source.find(name);
  if (connection === undefined) throw notFound(name, source.names());
  const tested = await testConnection(connection, io.interruption());
  io.stdout.write(
    settings.json ? jsonText(name, tested) : plainText(`${name} (${connection.type})`, tested, settings, io),
  );
  return tested.works === false ? exitCode.failed : exitCode.done;
}

function jsonText(name: string, { works, message, help }: ConnectionTest): string {
  const shown = { name, works: works ?? null, message, ...(help === undefined ? {} : { help }) };
  return `${JSON.stringify(shown, null, 2)}\n`;
}

function plainText(
  title: string,
  { works, message, help }: ConnectionTest,
  settings: TestConnectionSettings,
  io: Io,
): string {
  const style = createStyle(usesColor(io.stdout, io, settings.color));
  const marks = { true: style.good('✓'), false: style.bad('✗'), undefined: style.warn('-') };
  return `${marks[`${works}`]} ${title}: ${message}\n${help === undefined ? '' : `  ${help}\n`}`;
}
