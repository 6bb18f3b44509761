"""Inputs as they were given, so that the lists and mappings are found that a call changed."""

import json
import marshal
from itertools import chain

from .shared_places import near_top, places_as_given, places_in


class GivenInputs:
    def __init__(self, text, inputs, handles):
        """`text`: the JSON they were given as, which for objects that are kept here does not tell what they hold."""
        self._text = text
        self._held = None
        self._handles = handles
        if handles.is_in(text):
            self._held = {name: _held(value) for name, value in _containers(inputs)}
            self._places = places_in(inputs)
        else:
            self._given = {name: (_as_bytes(value), _near_top(value)) for name, value in _containers(inputs)}

    def places(self):
        """As `places_in` told them then."""
        if self._held is not None:
            return self._places
        near = {name: kept for name, (_bytes, kept) in self._given.items()}
        return places_as_given(near, json.loads(self._text))

    def changed(self, inputs):
        """Those that are no longer as they were given, also by what is equal in Python: `1`, `1.0` and `True`, and keys in any order."""
        containers = _containers(inputs)
        if self._held is None:
            return {name: value for name, value in containers if _as_bytes(value) != self._given[name][0]}
        return {name: value for name, value in containers if self._held[name] not in (None, _held(value))}

    def objects(self):
        """Names of those that are kept here, as a whole or a part of one."""
        if self._held is None:
            return set()
        return {name for name, given in json.loads(self._text).items() if self._handles.is_mark(given)}

    def holding_objects(self):
        """Names of those that hold any."""
        if self._held is None:
            return set()
        return {name for name, given in json.loads(self._text).items() if self._handles.is_in(json.dumps(given))}


def _containers(inputs):
    return [(name, value) for name, value in inputs.items() if isinstance(value, (list, dict))]


def _near_top(value):
    """Kept as long as the call goes on: while a list is there, nothing else is known by the same number."""
    return list(chain.from_iterable(near_top(value)))


def _as_bytes(value):
    """None of what is no JSON: code put it there."""
    try:
        # In this form, equal values have the same bytes: later ones tell what is one object.
        return marshal.dumps(value, 2)
    except ValueError:
        return None


def _held(value):
    """Its JSON, objects that JSON cannot carry by what they are; None where it has none."""
    try:
        return json.dumps(value, default=id)
    except Exception:
        return None
