import { describePython } from '@unroll/project/flow-python';
import { exitCode } from '../../exit-code.ts';
import type { Io } from '../../io.ts';
import type { PythonInfoSettings } from '../../options/python-options.ts';

/** `flow python info`: which Python the nodes of a flow run on, and why that one. */
export async function info(settings: PythonInfoSettings, io: Io): Promise<number> {
  const facts = describePython(settings.flow, io);
  if (settings.json) io.stdout.write(`${JSON.stringify(facts, null, 2)}\n`);
  else for (const [name, fact] of Object.entries(facts)) io.stdout.write(`${name.padEnd(13)} ${fact}\n`);
  return exitCode.done;
}
