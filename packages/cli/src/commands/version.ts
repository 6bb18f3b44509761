import type { CommandCall } from '../command-spec.ts';
import { exitCode } from '../exit-code.ts';
import { packageVersion } from '../package-root.ts';

export async function version({ io }: CommandCall): Promise<number> {
  io.stdout.write(`flow ${packageVersion()} (Node ${process.versions.node})\n`);
  return exitCode.done;
}
