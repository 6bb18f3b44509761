import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type FlowProcess, startFlow } from './flow-process.ts';
import { writeFiles } from './write-files.ts';

export interface EditedWorld extends AsyncDisposable {
  readonly folder: string;
  readonly process: FlowProcess;
  readonly url: string;
  /** Writes files, and resolves once what was changed has been taken up; `nth` time. */
  edit(files: Readonly<Record<string, string>>, said: string, nth?: number): Promise<void>;
  /** Ends it as Ctrl-C does. @returns what it said */
  end(): FlowProcess['ended'];
}

/** `flow dev` in a process of its own, over files that can be edited. */
export async function editedWorld(flow: string, files: Readonly<Record<string, string>>): Promise<EditedWorld> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'unroll-dev-')));
  writeFiles(folder, files);
  const started = startFlow(['dev', flow, '--port', '0'], { folder });
  await Promise.race([
    started.said('watching for changes'),
    started.ended.then(({ stderr }) => Promise.reject(new Error(stderr))),
  ]);
  const url = /http:\S+/.exec(started.text())?.[0] ?? '';
  const end = (): FlowProcess['ended'] => {
    started.child.kill('SIGINT');
    return started.ended;
  };
  return {
    folder,
    process: started,
    url,
    edit: async (changed, said, nth = 1) => {
      replaceFiles(folder, changed);
      await started.said(said, nth);
    },
    end,
    [Symbol.asyncDispose]: async () => {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Each file takes its place whole: none is seen half written. */
function replaceFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    writeFiles(folder, { 'new-text': text });
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    renameSync(join(folder, 'new-text'), join(folder, path));
  }
}

/** What `/score` answers. */
export async function ask(url: string, inputs: unknown): Promise<unknown> {
  const body = JSON.stringify(inputs);
  const answer = await fetch(`${url}/score`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return await answer.json();
}
