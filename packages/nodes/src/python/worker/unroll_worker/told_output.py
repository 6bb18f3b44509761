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
    kept = {} if call.shared is None else _kept(call.inputs, common, changed, handles)
    if kept:
        more += f',"kept":{handles.encode(kept)}'
    shown = handles.shown(value, text)
    more += "" if shown is None else f',"shown":{json.dumps(shown)}'
    return text, original, more


def _kept(inputs, common, changed, handles):
    """Inputs that others read through an object from now on: for what they have in common with the output, or what JSON does not give again."""
    numbers = {name: handles.keep(inputs[name]) for name in common}
    for name in changed.keys() - numbers.keys():
        number = handles.original(changed[name], handles.encode(changed[name]))
        if number is not None:
            numbers[name] = number
    return {name: {"id": number, "value": inputs[name]} for name, number in numbers.items()}
