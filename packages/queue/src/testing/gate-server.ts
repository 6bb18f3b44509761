import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A server that nodes of a flow ask with the number of their row, and that answers when the test says so: a test knows then what is
 * under way, without waiting for a time.
 */
export interface Gate extends AsyncDisposable {
  readonly url: string;
  /** Numbers that were asked with, in order. */
  readonly asked: readonly number[];
  /** Resolves once so many requests have come. */
  whenAsked(times: number): Promise<void>;
  /** Answers all that wait, and all that come. */
  open(): void;
  /** Lets so many of those that wait, or come, through. */
  letThrough(count: number): void;
}

export async function startGate(): Promise<Gate> {
  const asked: number[] = [];
  const waiting: ServerResponse[] = [];
  const watchers = new Set<() => void>();
  let left = 0;
  const answer = (): void => {
    while (left > 0 && waiting.length > 0) {
      const response = waiting.shift();
      // Who asked was killed: nobody hears the answer.
      if (response === undefined || response.destroyed) continue;
      left -= 1;
      response.end('ok');
    }
  };
  const server = createServer((request, response) => {
    request.resume();
    asked.push(Number(request.url?.slice(1)));
    waiting.push(response);
    answer();
    for (const watch of watchers) watch();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    whenAsked: (times) =>
      new Promise((resolve) => {
        const watch = (): void => {
          if (asked.length < times) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
      }),
    open() {
      left = Number.POSITIVE_INFINITY;
      answer();
    },
    letThrough(count) {
      left += count;
      answer();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Two nodes a row, of which each asks the gate: `ask` with the number of the row, `again` with 1000 more than that gave. */
export const twiceFlow: Readonly<Record<string, string>> = {
  'twice/flow.dag.yaml': `inputs:
  n: {type: int}
outputs:
  o: {type: int, reference: "\${again.output}"}
nodes:
  - {name: ask, type: python, source: {type: code, path: ask.mjs}, inputs: {n: "\${inputs.n}"}}
  - {name: again, type: python, source: {type: code, path: again.mjs}, inputs: {n: "\${ask.output}"}}
`,
  'twice/ask.mjs': `export async function ask({ n }) {
  await (await fetch(\`\${process.env.GATE}/\${n}\`)).text();
  return n * 2;
}
`,
  'twice/again.mjs': `export async function again({ n }) {
  await (await fetch(\`\${process.env.GATE}/\${1000 + n}\`)).text();
  return n + 1;
}
`,
};

/** Two nodes a row: `ask` asks the gate, which is the variable GATE, and `add` adds one; `total` sums up all rows. */
export const gatedFlow: Readonly<Record<string, string>> = {
  'gated/flow.dag.yaml': `inputs:
  n: {type: int}
outputs:
  o: {type: int, reference: "\${add.output}"}
nodes:
  - {name: ask, type: python, source: {type: code, path: ask.mjs}, inputs: {n: "\${inputs.n}"}}
  - {name: add, type: python, source: {type: code, path: add.mjs}, inputs: {n: "\${ask.output}"}}
  - {name: total, type: python, aggregation: true, source: {type: code, path: total.mjs}, inputs: {all: "\${add.output}"}}
`,
  'gated/ask.mjs': `export async function ask({ n }) {
  const response = await fetch(\`\${process.env.GATE}/\${n}\`);
  if ((await response.text()) !== 'ok') throw new Error('the gate is closed');
  return n * 2;
}
`,
  'gated/add.mjs': 'export const add = ({ n }) => n + 1;\n',
  'gated/total.mjs': `export function total({ all }, { logMetric }) {
  logMetric('sum', all.reduce((sum, one) => sum + one, 0));
  return all.length;
}
`,
};
