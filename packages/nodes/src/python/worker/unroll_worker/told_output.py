"""What the engine is told of what a call gave: its JSON, and what JSON does not tell."""

import json

from .given_on import given_on


def told_output(call, value, handles):
    """The JSON of a value, the number that it is kept by, and further members of the reply."""
    text = handles.encode(value)
    more = ""
    original = handles.original(value, text)
    common = given_on(call.inputs, value)
    if common and original is None:
        original = handles.keep(value)
        more += ',"exact":true'
    changed = call.changed_inputs()
    if changed:
        more += f',"changed":{handles.encode(changed)}'
    if common and call.shared is not None:
        kept = {name: {"id": handles.keep(call.inputs[name]), "value": call.inputs[name]} for name in common}
        more += f',"givenOn":{handles.encode(kept)}'
    shown = handles.shown(value, text)
    more += "" if shown is None else f',"shown":{json.dumps(shown)}'
    return text, original, more
