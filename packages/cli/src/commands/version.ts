import { madeWith } from '@unroll/project';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { VersionSettings } from '../options/flow-options.ts';
import { stringifyJsonLine } from '../runs/run-result.ts';

export async function version(settings: VersionSettings, io: Io): Promise<number> {
  const { version, build } = madeWith();
  if (settings.json) io.stdout.write(stringifyJsonLine({ version, node: process.versions.node, build }));
  else io.stdout.write(`flow ${version} (Node ${process.versions.node}, build ${build})\n`);
  return exitCode.done;
}
