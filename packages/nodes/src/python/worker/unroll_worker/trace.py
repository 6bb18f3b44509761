"""The trace that a call belongs to: spans that its code makes with OpenTelemetry stand below the span of its node."""

import json
import sys


def join_trace(headers):
    """Makes the context of `headers`, JSON of W3C Trace Context, the current one; gives what `leave_trace` takes.

    Only where the code has loaded OpenTelemetry itself: nothing is imported for it.
    """
    trace = sys.modules.get("opentelemetry.trace") if headers else None
    context = sys.modules.get("opentelemetry.context")
    if trace is None or context is None:
        return None
    given = json.loads(headers)
    _, trace_id, span_id, flags = given["traceparent"].split("-")[:4]
    parent = trace.SpanContext(
        trace_id=int(trace_id, 16),
        span_id=int(span_id, 16),
        is_remote=True,
        trace_flags=trace.TraceFlags(int(flags, 16)),
        trace_state=trace.TraceState.from_header([given.get("tracestate", "")]),
    )
    return context.attach(trace.set_span_in_context(trace.NonRecordingSpan(parent)))


def leave_trace(token):
    if token is not None:
        sys.modules["opentelemetry.context"].detach(token)
