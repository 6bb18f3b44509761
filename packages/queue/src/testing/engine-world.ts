import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Redactor } from '@unroll/engine';
import { type Project, type ProjectEvent, type ProjectHost, projectOn } from '@unroll/project';
import type { Database } from '../database/database.ts';
import { freshEngine } from './fresh-engine.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A project in a folder of its own and an engine to run it on, both empty. */
export interface EngineWorld extends AsyncDisposable {
  readonly folder: string;
  /** Of the engine. */
  readonly url: string;
  readonly database: Database;
  readonly host: ProjectHost;
  readonly project: Project;
  /** What happened, in order. */
  readonly events: readonly ProjectEvent[];
  /** What was said that is doubtful. */
  warnings(): readonly string[];
  write(files: Readonly<Record<string, string>>): void;
}

export async function engineWorld(): Promise<EngineWorld> {
  const engine = await freshEngine();
  const { database, url } = engine;
  const folder = temporaryFolder();
  const events: ProjectEvent[] = [];
  const host = testHost(folder.path, (event) => events.push(event));
  return {
    folder: folder.path,
    url,
    database,
    host,
    project: projectOn(host),
    events,
    warnings: () =>
      events.flatMap((event) =>
        event.type === 'notice' && event.notice.kind === 'warning' ? [event.notice.message] : [],
      ),
    write(files) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder.path, path)), { recursive: true });
        writeFileSync(join(folder.path, path), text);
      }
    },
    async [Symbol.asyncDispose]() {
      await engine[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** A host of a folder, without the variables of this process. */
export function testHost(folder: string, report: ProjectHost['report']): ProjectHost {
  return {
    folder,
    environment: { PATH: process.env['PATH'] },
    redactor: new Redactor(),
    runsFolder: join(folder, '.flow', 'runs'),
    now: Date.now,
    steadyNow: () => performance.now(),
    randomText: () => Math.random().toString(36).slice(2, 6).padEnd(4, '0'),
    stdin: () => process.stdin,
    report,
  };
}
