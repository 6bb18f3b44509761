import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import chromium, { inflate } from '@sparticuz/chromium';

/** A browser to start: the program, and the environment in which it finds what a desktop has. */
export interface Chromium {
  readonly executablePath: string;
  readonly env: Record<string, string>;
}

/** That of the package: the first time it is unpacked into the folder for temporary files. */
export async function unpackedChromium(): Promise<Chromium> {
  const executablePath = await chromium.executablePath();
  const env = process.env as Record<string, string>;
  if (isComplete(executablePath)) return { executablePath, env };
  const folder = await inflate(
    fileURLToPath(new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium'))),
  );
  // Where there are no libraries, there are no fonts either: those of the package are unpacked with it.
  const fonts = join(tmpdir(), 'fonts');
  return { executablePath, env: { ...env, LD_LIBRARY_PATH: join(folder, 'lib'), FONTCONFIG_PATH: fonts } };
}

/** Whether the system has the libraries that it is linked with, as one without a desktop has not. */
function isComplete(executablePath: string): boolean {
  try {
    execFileSync(executablePath, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
