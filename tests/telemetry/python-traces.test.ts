import { expect, test } from 'vitest';
import { tracedWorld } from './traced-world.ts';

/** The names of the Python package opentelemetry-api that code finds its span by; the package itself cannot be had without a network. */
const openTelemetry = {
  'f/opentelemetry/__init__.py': '',
  'f/opentelemetry/context.py': `import contextvars
current = contextvars.ContextVar("current", default=None)
attach, detach = current.set, current.reset
`,
  'f/opentelemetry/trace.py': `from collections import namedtuple
SpanContext = namedtuple("SpanContext", "trace_id span_id is_remote trace_flags trace_state")
NonRecordingSpan = namedtuple("NonRecordingSpan", "context")
TraceFlags = int
class TraceState:
    from_header = staticmethod(lambda headers: headers)
def set_span_in_context(span):
    return span
`,
};

const body = `
    span = context.current.get()
    return None if span is None else format(span.context.trace_id, "032x") + "-" + format(span.context.span_id, "016x")
`;
const head = 'from promptflow.core import tool\n\nfrom opentelemetry import context, trace\n\n\n@tool\n';

const files = {
  ...openTelemetry,
  'f/flow.dag.yaml': `inputs: {q: {type: string}}
outputs: {one: {type: string, reference: "\${one.output}"}, two: {type: string, reference: "\${two.output}"}}
nodes:
- {name: one, type: python, source: {type: code, path: one.py}, inputs: {q: "\${inputs.q}"}}
- {name: two, type: python, source: {type: code, path: two.py}, inputs: {q: "\${inputs.q}"}}
`,
  'f/one.py': `${head}def one(q: str):${body}`,
  'f/two.py': `${head}async def two(q: str):${body}`,
};

test('code in Python finds the span of its own node as the current one, also where nodes run at once', async () => {
  await using world = await tracedWorld({ ...files, 'q.jsonl': '{"q": "a"}\n{"q": "b"}\n{"q": "c"}\n' });
  await world.project.runDataset('f', { data: 'q.jsonl', name: 'run', concurrency: 3 }).result;
  await using store = await world.project.runs.open('run');
  const seen: unknown[] = [];
  for (const line of [0, 1, 2]) for (const { output } of await store.nodes(line)) seen.push(output);
  const nodes = world.receiver.spans.filter(({ name }) => name === 'one' || name === 'two');
  expect(nodes).toHaveLength(6);
  expect(seen.sort()).toEqual(nodes.map(({ traceId, spanId }) => `${traceId}-${spanId}`).sort());
});

test('outside of a trace it finds none', async () => {
  await using world = await tracedWorld(files, { environment: { OTEL_SDK_DISABLED: 'true' } });
  expect((await world.project.runRow('f', { q: 'x' }).result).row.outputs).toEqual({ one: null, two: null });
});
