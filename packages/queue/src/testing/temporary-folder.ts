import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for one test, absolute. */
export function temporaryFolder(): { readonly path: string } & Disposable {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'unroll-queue-')));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
