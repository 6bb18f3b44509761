import { madeWith } from '@unroll/project';
import type { CommandCall } from '../command-spec.ts';
import { exitCode } from '../exit-code.ts';

export async function version({ io }: CommandCall): Promise<number> {
  const { version, build } = madeWith();
  io.stdout.write(`flow ${version} (Node ${process.versions.node}, build ${build})\n`);
  return exitCode.done;
}
