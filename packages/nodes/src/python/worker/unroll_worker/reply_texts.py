"""The parts that replies are written of."""

import json

# The engine reads no longer reply.
MOST_CHARACTERS = 256 << 20


def too_large(text):
    return f"its output is {len(text) >> 20} MB as JSON, and {MOST_CHARACTERS >> 20} MB is the limit"


def item_json(item):
    """An item of a stream that is no text, where it is JSON."""
    if isinstance(item, str):
        return ""
    try:
        return ',"item":' + json.dumps(item)
    except (TypeError, ValueError, RecursionError):
        return ""


def refuse(value):
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def report(call, handles, leaves_open=False):
    """What a call tells beside its value. @param leaves_open whether streams go on that it has opened"""
    if call is None:
        return ""
    text = ""
    if call.logs is not None:
        text += ',"logs":' + json.dumps(call.printed_texts())
    if call.metrics is not None:
        text += ',"metrics":' + handles.encode(call.metrics)
    calls = call.tally.take(leaves_open)
    if calls is not None:
        text += ',"modelCalls":' + calls
    return text
