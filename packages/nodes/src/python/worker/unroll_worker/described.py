"""What Python objects hold, for templates of other nodes, which look into them as Jinja does."""

import numbers
from collections.abc import ItemsView, KeysView, Mapping, ValuesView
from copy import copy
from dataclasses import is_dataclass

from .described_whole import equality, has_method, tests, truth

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
        if value is None or type(value) in (str, bool, int, float):
            return ["value", value]
        if isinstance(value, (str, float, numbers.Integral)):
            return ["scalar", _plain(value), _texts(value), self._attributes(value, depth), isinstance(value, (str, int, float))]
        if type(value) is list:
            return ["list", self._all(value, depth)]
        if isinstance(value, tuple):
            return ["tuple", self._all(value, depth), self._named(value)]
        if isinstance(value, dict):
            pairs = [[self.of(key, depth + 1), self.of(value[key], depth + 1)] for key in list(value)]
            if type(value) is dict:
                return ["dict", pairs, None, None, {}]
            return ["dict", pairs, _texts(value), self._missing(value, depth), self._own_attributes(value, depth)]
        items = self._items(value, depth)
        gives = items is None and has_method(value, "__getitem__")
        told = self._attributes(value, depth)
        if gives:
            told = {**self._named_items(value, depth), **told}
        return ["object", self._whole(value), told, items, gives]

    def _all(self, items, depth):
        return [self.of(item, depth + 1) for item in items]

    def _named(self, value):
        fields = getattr(type(value), "_fields", None)
        return None if fields is None else {**_texts(value), "fields": list(fields)}

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

    def _whole(self, value):
        whole = {"tests": tests(value), "truth": truth(value), "equality": equality(value)}
        return {**_texts(value), **whole, "number": _number(value)}

    def _own_attributes(self, value, depth):
        """Of a mapping those that its class has beside the methods of every mapping."""
        names = [name for name in self._names if not hasattr(dict, name)]
        return self._attributes(value, depth, names)

    def _attributes(self, value, depth, names=None):
        """What the template may ask for, asked for once; None stands for what is there and cannot be told."""
        found = {}
        for name in self._names if names is None else names:
            if name.startswith("_"):
                continue
            try:
                found[name] = self._attribute(value, getattr(value, name), depth)
            except AttributeError:
                pass
            except _TooLarge:
                raise
            except Exception:
                found[name] = None
        return found

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

    def _attribute(self, value, found, depth):
        if self._steps == _MOST_STEPS:
            return None
        self._steps += 1
        try:
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
        is_view = isinstance(value, (KeysView, ValuesView, ItemsView))
        if is_view or (has_method(value, "__iter__") and (has_method(value, "__len__") or _is_model(value))):
            if isinstance(value, Mapping):
                return None
            items = list(value)
            # A flag of one bit is its own and only item.
            return None if any(item is value for item in items) else self._all(items, depth)
        return None


def _texts(value):
    kind = type(value)
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    return {"type": kind.__name__, "module": module, "repr": _safe(repr, value), "str": _safe(str, value)}


def _plain(value):
    """The text or number that it is, whatever its class."""
    if isinstance(value, str):
        return str.__str__(value)
    return float(value) if isinstance(value, float) else int(value)


def _is_model(value):
    """Of pydantic: goes over its fields, as often as it is asked."""
    return any(one.__module__.startswith("pydantic.") for one in type(value).__mro__)


def _number(value):
    try:
        return float(value) if has_method(value, "__float__") else None
    except Exception:
        return None


def _safe(make, value):
    try:
        return make(value)
    except Exception:
        return object.__repr__(value)
