import { madeWith } from '@unroll/project';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';

export async function version(_settings: object, io: Io): Promise<number> {
  const { version, build } = madeWith();
  io.stdout.write(`flow ${version} (Node ${process.versions.node}, build ${build})\n`);
  return exitCode.done;
}
