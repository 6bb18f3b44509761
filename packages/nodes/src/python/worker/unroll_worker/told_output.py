"""What the engine is told of what a call gave: its JSON, and what JSON does not tell."""

import json

from .given_on import given_on
from .shared_places import moved_places, shared_places


def told_output(call, value, handles):
    """The JSON of a value, the number that it is kept by, and further members of the reply."""
    text = handles.encode(value)
    more = ""
    original = handles.original(value, text)
    common = given_on(call.inputs, value)
    if common and original is None:
        original = handles.keep(value)
        more += ',"exact":true'
    changed = {} if call.given is None else call.given.changed(call.inputs)
    if changed:
        more += f',"changed":{handles.encode(changed)}'
        is_told = all(handles.is_told(one, handles.encode(one)) for one in changed.values())
        more += "" if is_told else ',"copied":true'
        live = changed.keys() & call.given.objects()
        more += f',"live":{json.dumps(sorted(live))}' if live else ""
    kept = {} if call.given is None else _kept(call, common, changed, handles)
    if kept:
        more += f',"kept":{handles.encode(kept)}'
    moved = moved_places(call.given.places(), changed) if changed else []
    shared = [*shared_places(call.inputs, value, common), *moved]
    more += f',"shared":{json.dumps(shared)}' if shared else ""
    shown = handles.shown(value, text)
    more += "" if shown is None else f',"shown":{json.dumps(shown)}'
    return text, original, more


def _kept(call, common, changed, handles):
    """Inputs that others read through an object from now on: for what they have in common with the output, or what JSON does not give again."""
    kept = {}
    # What stands in one of them may be taken out of it later: it is no longer at its place there.
    beside = given_on(call.inputs, [call.inputs[name] for name in common])
    shared = {*common, *beside, *call.given.holding_objects()}
    for name in {*common, *beside, *changed} - call.given.objects():
        value = call.inputs[name]
        id = handles.keep(value) if name in shared else handles.original(value, handles.encode(value))
        if id is not None:
            kept[name] = {"id": id, "value": value}
    return kept
