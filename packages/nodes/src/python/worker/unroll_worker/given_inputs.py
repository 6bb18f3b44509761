"""Inputs as they were given, so that the lists and mappings are found that a call changed."""

import json

from .shared_places import places_in


class GivenInputs:
    def __init__(self, text, inputs, handles):
        """`text`: the JSON they were given as, which for objects that are kept here does not tell what they hold."""
        self._text = text
        self._held = {name: _held(value) for name, value in _containers(inputs)} if handles.is_in(text) else None
        self._handles = handles
        self.places = places_in(inputs)

    def changed(self, inputs):
        """Those that are no longer as they were given."""
        containers = _containers(inputs)
        if not containers:
            return {}
        if self._held is None:
            if _held(inputs, separators=(",", ":"), ensure_ascii=False) == self._text:
                return {}
            given = json.loads(self._text)
            return {name: value for name, value in containers if _differ(value, given[name])}
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


def _differ(value, given):
    """Also in what is equal in Python: `1`, `1.0` and `True`, and mappings in any order."""
    return value != given or _held(value) != _held(given)


def _held(value, **form):
    """Its JSON, objects that JSON cannot carry by what they are; None where it has none."""
    try:
        return json.dumps(value, default=id, **form)
    except Exception:
        return None
