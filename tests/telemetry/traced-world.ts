import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type OpenAiServer, type ServerReply, startOpenAiServer } from '@unroll/nodes/testing';
import { openProject, type Project } from '@unroll/project';
import { type AttributeValue, type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from './otlp-receiver.ts';

export interface TracedWorld extends AsyncDisposable {
  readonly folder: string;
  readonly project: Project;
  readonly receiver: OtlpReceiver;
  readonly model: OpenAiServer;
  /** What was doubtful. */
  readonly warnings: readonly string[];
}

export const modelKey = 'sk-telemetry-1234567890abcdef';

/** A folder of flows whose spans go to a receiver; the connection `mine` leads to a model that answers by a script. */
export async function tracedWorld(
  files: Readonly<Record<string, string>>,
  {
    replies = [],
    environment = {},
    refuse,
  }: {
    readonly replies?: readonly ServerReply[];
    readonly environment?: Readonly<Record<string, string>>;
    /** Status with which the receiver refuses all. */
    readonly refuse?: number;
  } = {},
): Promise<TracedWorld> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'unroll-telemetry-')));
  const receiver = await startOtlpReceiver(refuse);
  const model = await startOpenAiServer(replies);
  const connections = `mine: {type: open_ai, base_url: "${model.url}/v1", api_key: ${modelKey}}\n`;
  for (const [path, text] of Object.entries({ 'connections.yaml': connections, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const warnings: string[] = [];
  const project = openProject(folder, {
    environment: { HOME: join(folder, 'home'), OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...environment },
    reporter: (event) => {
      if (event.type === 'notice' && event.notice.kind === 'warning') warnings.push(event.notice.message);
    },
  });
  return {
    folder,
    project,
    receiver,
    model,
    warnings,
    [Symbol.asyncDispose]: async () => {
      await model[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Spans as a tree, one line each, in the order in which they started: its name, and what of its attributes is asked for. */
export function treeOf(spans: readonly ReceivedSpan[], keys: readonly string[] = []): string {
  const lines = (parent: string, depth: number): readonly string[] =>
    spans
      .filter(({ parentSpanId }) => parentSpanId === parent)
      .toSorted((one, other) => one.startMs - other.startMs)
      .flatMap((span) => [lineOf(span, depth, keys), ...lines(span.spanId, depth + 1)]);
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const tops = [...new Set(spans.map(({ parentSpanId }) => parentSpanId))].filter((id) => !ids.has(id));
  return tops.flatMap((top) => lines(top, 0)).join('\n');
}

function lineOf(span: ReceivedSpan, depth: number, keys: readonly string[]): string {
  const told = keys.flatMap((key) => {
    const value: AttributeValue | undefined = span.attributes[key];
    return value === undefined ? [] : [`${key.split('.').at(-1)}=${Array.isArray(value) ? value.join(',') : value}`];
  });
  const failed = span.isError ? [`failed: ${span.message}`] : [];
  return ['  '.repeat(depth) + span.name, ...told, ...failed].join(' | ');
}
