import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Redactor } from '@unroll/engine';
import { findServedFlow, type ProjectHost, type ServedFlow, type ServeFlowSettings, serveFlow } from '@unroll/project';
import type { ServerSettings } from '../http/server-settings.ts';
import { type FlowServer, startServer } from '../http/start-server.ts';

/** `double` cannot double 3, `wait` asks an address and gives what it says. */
const files: Readonly<Record<string, string>> = {
  'double/flow.dag.yaml': `inputs:
  n: {type: int, description: a number, is_chat_input: true}
  more: {type: object, default: {}}
outputs:
  twice: {type: int, reference: "\${double.output}"}
  more: {type: object, reference: "\${inputs.more}"}
nodes:
- {name: double, type: python, source: {type: code, path: double.mjs}, inputs: {n: "\${inputs.n}"}}
`,
  'double/double.mjs': `export function double({ n }) {
  if (n === 3) throw new RangeError('no way to double 3 in ' + import.meta.dirname);
  return n * 2;
}
`,
  'wait/flow.dag.yaml': `inputs:
  url: {type: string}
outputs:
  said: {type: string, reference: "\${wait.output}"}
nodes:
- {name: wait, type: python, source: {type: code, path: wait.mjs}, inputs: {url: "\${inputs.url}"}}
`,
  'wait/wait.mjs': `export async function wait({ url }) {
  return await (await fetch(url)).text();
}
`,
};

export interface ServedWorld extends AsyncDisposable {
  readonly server: FlowServer;
  /** Absolute. */
  readonly folder: string;
  readonly host: ProjectHost;
  readonly flows: readonly ServedFlow[];
  /** What was doubtful. */
  readonly notices: readonly unknown[];
}

type OfFlows = Pick<ServeFlowSettings, 'recorded' | 'redacted' | 'allowsPrivateImages'>;

/**
 * Serves flows of the test from a folder of their own, on loopback.
 *
 * @param more files by their paths, beside those of `double` and `wait`
 */
export async function serveFlows(
  names: readonly string[],
  settings: ServerSettings & Partial<OfFlows> & { readonly now?: () => number } = {},
  more: Readonly<Record<string, string>> = {},
): Promise<ServedWorld> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'unroll-serve-')));
  for (const [path, text] of Object.entries({ ...files, ...more })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { recorded = 1, redacted = [], allowsPrivateImages = false, now = Date.now, ...listening } = settings;
  const ofFlows = { overrides: [], environment: {}, recorded, redacted, allowsPrivateImages };
  const notices: unknown[] = [];
  const host: ProjectHost = {
    folder,
    environment: {},
    redactor: new Redactor(),
    runsFolder: join(folder, 'runs'),
    now,
    steadyNow: () => performance.now(),
    randomText: () => Math.random().toString(36).slice(2, 6).padEnd(4, '0'),
    stdin: async function* () {},
    report: (event) => {
      if (event.type === 'notice') notices.push(event.notice);
    },
  };
  const flows = await Promise.all(names.map((name) => serveFlow(findServedFlow(name, host), ofFlows, host)));
  const server = await startServer(flows, { port: 0, drainMs: 5000, ...listening }, host);
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= server.close();
    return closing;
  };
  return {
    server: { ...server, close },
    folder,
    host,
    flows,
    notices,
    [Symbol.asyncDispose]: async () => {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** An address that answers when it is told to. */
export interface HeldAddress extends AsyncDisposable {
  readonly url: string;
  /** Resolves once so many ask, or have asked. */
  asked(count: number): Promise<void>;
  /** Resolves once so many have gone without an answer. */
  left(count: number): Promise<void>;
  /** Answers all that ask, and from now on at once. */
  release(): void;
}

export async function startHeldAddress(): Promise<HeldAddress> {
  const held: ServerResponse[] = [];
  const counts = { asked: 0, left: 0 };
  const listeners = new Set<() => void>();
  let isReleased = false;
  const count = (name: keyof typeof counts): void => {
    counts[name] += 1;
    for (const listen of listeners) listen();
  };
  const reached = (name: keyof typeof counts, wanted: number): Promise<void> =>
    new Promise((resolve) => {
      const listen = (): void => {
        if (counts[name] < wanted) return;
        listeners.delete(listen);
        resolve();
      };
      listeners.add(listen);
      listen();
    });
  const server = createServer((_request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) count('left');
    });
    if (isReleased) response.end('released');
    else held.push(response);
    count('asked');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked: (wanted) => reached('asked', wanted),
    left: (wanted) => reached('left', wanted),
    release: () => {
      isReleased = true;
      for (const response of held.splice(0)) response.end('released');
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
