import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const wanted = 'promptflow-core==1.18.5';

/** The files of the page that Prompt flow's server gives, by their addresses. */
export type PageFiles = Readonly<Record<string, { readonly contentType: string; readonly body: string }>>;

/** The page as its package brings it, which is installed on the first run and kept in the temporary folder. */
export function installedPage(): PageFiles {
  const folder = join(tmpdir(), 'unroll-promptflow-page', wanted);
  if (!existsSync(folder)) install(folder);
  const read = (name: string): string => readFileSync(join(folder, 'promptflow/core/_serving/static', name), 'utf8');
  return {
    '/': { contentType: 'text/html', body: read('index.html') },
    '/static/index.js': { contentType: 'text/javascript', body: read('index.js') },
  };
}

/** The package alone: the page needs nothing of what it names. */
function install(folder: string): void {
  const made = `${folder}.new`;
  rmSync(made, { recursive: true, force: true });
  const words = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', made, wanted];
  const { status } = spawnSync('python3', words, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`python3 ${words.join(' ')} ended with ${status}`);
  renameSync(made, folder);
}
