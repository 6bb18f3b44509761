import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@unroll/engine';
import { createTestWorld, type Said } from '../../../packages/cli/src/testing/test-io.ts';
import { filledIn, type ServeCase, serveCasesFolder, serveFolders } from './case.ts';

/** What became of starting a server. */
export type Started =
  | { readonly kind: 'listens'; readonly place: string }
  | { readonly kind: 'ended'; readonly code: number; readonly text: string };

/** The command, started once for each flow and command line, in a copy of the flows: all of them in this process, which takes half of what 34 take. */
export class ServedFlows {
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), 'promptflow-serve-')));
  readonly #started = new Map<string, Promise<Started>>();
  readonly #ended: Promise<Said>[] = [];
  readonly #end = new AbortController();
  readonly #fake: string;

  /** @param fake where the model server listens */
  constructor(fake: string) {
    this.#fake = fake;
    for (const folder of serveFolders) cpSync(join(folder, 'flows'), join(this.#folder, 'flows'), { recursive: true });
  }

  folderOf({ flow }: ServeCase): string {
    return join(this.#folder, 'flows', flow);
  }

  start(one: ServeCase): Promise<Started> {
    const key = JSON.stringify([one.flow, one.serve ?? {}]);
    const started = this.#started.get(key) ?? this.#serve(one, this.#started.size);
    this.#started.set(key, started);
    return started;
  }

  /** Ends all that listen, as an operating system does. @returns what those ended with that listened */
  async end(): Promise<readonly number[]> {
    const started = await Promise.all(this.#started.values());
    this.#end.abort();
    const ended = await Promise.all(this.#ended);
    rmSync(this.#folder, { recursive: true, force: true });
    return ended.filter((_, at) => started[at]?.kind === 'listens').map(({ code }) => code);
  }

  async #serve(one: ServeCase, number: number): Promise<Started> {
    const { args = [], env = {}, source } = one.serve ?? {};
    const places = { flow_dir: this.folderOf(one), fake: this.#fake };
    const filled = args.map((text) => filledIn(text, places));
    const flow = source === undefined ? places.flow_dir : join(places.flow_dir, source);
    const connections = join(this.#folder, `connections-${number}.yaml`);
    writeFileSync(connections, JSON.stringify(connectionsOf(one, places)));
    const argv = ['serve', '--source', flow, '--port', '0', '--host', '127.0.0.1', '--skip-open-browser'];
    const ours = ['--cors', '*', '--connections', connections, '--drain', '1'];
    let text = '';
    const listening = Promise.withResolvers<Started>();
    const hear = (piece: string): void => {
      text += piece;
      const [, place] = /^.*: http:\/\/([\d.]+:\d+)$/m.exec(text) ?? [];
      if (place !== undefined) listening.resolve({ kind: 'listens', place });
    };
    const environment = { ...(process.env as Record<string, string>), HOME: this.#folder, ...env };
    const world = createTestWorld({
      folder: this.#folder,
      environment,
      signal: this.#end.signal,
      onStdout: hear,
      onStderr: hear,
    });
    const ended = world.flow(...argv, ...ours, ...filled);
    this.#ended.push(ended);
    return await Promise.race([listening.promise, ended.then(({ code }) => ({ kind: 'ended', code, text }) as const)]);
  }
}

/** The connections of the cases in our form, all but those that a case leaves out. */
function connectionsOf({ serve }: ServeCase, places: Readonly<Record<string, string>>): JsonObject {
  const text = filledIn(readFileSync(join(serveCasesFolder, 'connections.json'), 'utf8'), places);
  const written = JSON.parse(text) as Readonly<Record<string, Written>>;
  const chosen = Object.entries(written).filter(([name]) => serve?.connections?.includes(name) ?? true);
  return Object.fromEntries(
    chosen.map(([name, { type, value, secret_keys: secret }]) => [name, fields(type, value, secret)]),
  );
}

interface Written {
  readonly type: string;
  readonly value: Readonly<Record<string, string>>;
  readonly secret_keys: readonly string[];
}

function fields(type: string, value: Written['value'], secret: readonly string[]): JsonObject {
  if (type !== 'CustomConnection') return { type, ...value };
  const part = (isSecret: boolean): JsonObject =>
    Object.fromEntries(Object.entries(value).filter(([key]) => secret.includes(key) === isSecret));
  return { type: 'custom', configs: part(false), secrets: part(true) };
}
