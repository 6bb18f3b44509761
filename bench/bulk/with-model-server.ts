import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Runs the model of model-server.ts beside some work, in a process of its own, whose CPU is not counted. */
export async function withModelServer(
  environment: Readonly<Record<string, string>>,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const server = spawn(process.execPath, [join(import.meta.dirname, 'model-server.ts')], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [port] = (await once(server.stdout, 'data')) as [Buffer];
    await work(`http://127.0.0.1:${String(port).trim()}`);
  } finally {
    server.kill();
  }
}
