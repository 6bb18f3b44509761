"""What Python objects hold, for templates of other nodes, which look into them as Jinja does."""

from collections.abc import ItemsView, KeysView, Mapping, ValuesView
from copy import copy
from dataclasses import is_dataclass

_MOST_MEMBERS = 50_000
_DEEPEST = 30
# Of attributes of attributes: a date has a date.
_MOST_STEPS = 4
# Of their objects a method without arguments changes nothing.
_UNCHANGING = {"datetime", "decimal", "fractions", "pathlib", "uuid"}


def described(value, names):
    """A value as JSON of `[kind, …]`, of objects the attributes that are named; None where it is too large for that."""
    try:
        return _Describer(frozenset(names)).of(value, 0)
    except _TooLarge:
        return None


class _TooLarge(Exception):
    pass


class _Describer:
    def __init__(self, names):
        self._names = names
        self._left = _MOST_MEMBERS
        self._steps = 0

    def of(self, value, depth):
        self._left -= 1
        if self._left < 0 or depth > _DEEPEST:
            raise _TooLarge()
        for plain in (str, bool, int, float):
            if isinstance(value, plain):
                # An enum that is a text is told by what it is a text of.
                return ["value", value if type(value) is plain else plain.__str__(value) if plain is str else plain(value)]
        if value is None:
            return ["value", None]
        if type(value) is list:
            return ["list", self._all(value, depth)]
        if isinstance(value, tuple):
            return ["tuple", self._all(value, depth), self._named(value)]
        if isinstance(value, dict):
            pairs = [[self.of(key, depth + 1), self.of(value[key], depth + 1)] for key in list(value)]
            return ["dict", pairs, None if type(value) is dict else self._text(value), self._missing(value, depth)]
        items = self._items(value, depth)
        gives = items is None and hasattr(type(value), "__getitem__")
        told = self._attributes(value, depth)
        if gives:
            told = {**self._named_items(value, depth), **told}
        return ["object", self._text(value), told, items, gives]

    def _all(self, items, depth):
        return [self.of(item, depth + 1) for item in items]

    def _named(self, value):
        fields = getattr(type(value), "_fields", None)
        return None if fields is None else {**self._text(value), "fields": list(fields)}

    def _missing(self, value, depth):
        """What a `Counter` or a `defaultdict` gives for a key that it does not have."""
        if not hasattr(type(value), "__missing__"):
            return None
        try:
            return self.of(copy(value)[object()], depth + 1)
        except _TooLarge:
            raise
        except Exception:
            return None

    def _text(self, value):
        kind = type(value)
        module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
        texts = {"type": kind.__name__, "module": module, "repr": _safe(repr, value), "str": _safe(str, value)}
        return {**texts, "number": _number(value)}

    def _attributes(self, value, depth):
        """What the template may ask for; None stands for what is there and cannot be told."""
        return {name: self._attribute(value, name, depth) for name in self._names if _has(value, name)}

    def _named_items(self, value, depth):
        """Of an object that gives items by a rule of its own, those of the names."""
        found = {}
        for name in self._names:
            try:
                found[name] = self.of(value[name], depth + 1)
            except _TooLarge:
                raise
            except Exception:
                pass
        return found

    def _attribute(self, value, name, depth):
        if self._steps == _MOST_STEPS:
            return None
        self._steps += 1
        try:
            found = getattr(value, name)
            if not callable(found) or is_dataclass(found):
                return self.of(found, depth + 1)
            if type(value).__module__ in _UNCHANGING:
                return ["call", self.of(found(), depth + 1)]
        except _TooLarge:
            raise
        except Exception:
            pass
        finally:
            self._steps -= 1
        return None

    def _items(self, value, depth):
        """None where it is gone over only once, or by a rule of its own."""
        if isinstance(value, (KeysView, ValuesView, ItemsView)) or (hasattr(value, "__iter__") and hasattr(value, "__len__")):
            if not isinstance(value, Mapping):
                return self._all(list(value), depth)
        return None


def _has(value, name):
    try:
        return not name.startswith("_") and hasattr(value, name)
    except Exception:
        return False


def _number(value):
    try:
        return float(value) if hasattr(value, "__float__") else None
    except Exception:
        return None


def _safe(make, value):
    try:
        return make(value)
    except Exception:
        return object.__repr__(value)
