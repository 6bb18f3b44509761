import { type ConnectionTest, testConnection } from '@unroll/nodes';
import { composeConnections, notFound } from '@unroll/project';
import type { CommandCall } from '../../command-spec.ts';
import { exitCode } from '../../exit-code.ts';
import { textOf } from '../../option-values.ts';
import { createStyle, usesColor } from '../../text/style.ts';
import { nameOf } from './name-of.ts';

/** `flow connection test`: one cheap real call. */
export async function test(call: CommandCall): Promise<number> {
  const { options, io } = call;
  const name = nameOf(call);
  const source = composeConnections(io, io.folder, textOf(options, 'connections'));
  const connection = source.find(name);
  if (connection === undefined) throw notFound(name, source.names());
  const tested = await testConnection(connection, io.interruption());
  io.stdout.write(
    options['json'] === true ? jsonText(name, tested) : plainText(`${name} (${connection.type})`, tested, call),
  );
  return tested.works === false ? exitCode.failed : exitCode.done;
}

function jsonText(name: string, { works, message, help }: ConnectionTest): string {
  const shown = { name, works: works ?? null, message, ...(help === undefined ? {} : { help }) };
  return `${JSON.stringify(shown, null, 2)}\n`;
}

function plainText(title: string, { works, message, help }: ConnectionTest, { options, io }: CommandCall): string {
  const style = createStyle(usesColor(io.stdout, io, options['color']));
  const marks = { true: style.good('✓'), false: style.bad('✗'), undefined: style.warn('-') };
  return `${marks[`${works}`]} ${title}: ${message}\n${help === undefined ? '' : `  ${help}\n`}`;
}
