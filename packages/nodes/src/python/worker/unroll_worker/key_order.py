"""Keys of mappings in the order that the engine gives them: in JavaScript those that are whole numbers come first, ascending."""

import re

_NUMBERED = re.compile(r'"(?:0|[1-9]\d{0,9})": ')
_INDEX = re.compile(r"(?:0|[1-9]\d{0,9})")
# The greatest index of a list in JavaScript; longer numbers are keys like any other.
_GREATEST = 2**32 - 2


def keeps_order(value, text):
    """Whether plain data has its keys in the same order there. Few texts have such keys at all, which is told without a walk."""
    return _NUMBERED.search(text) is None or _is_ordered(value)


def _is_ordered(value):
    if isinstance(value, list):
        return all(_is_ordered(item) for item in value)
    if not isinstance(value, dict):
        return True
    places = [int(key) if _is_index(key) else _GREATEST + 1 for key in value]
    return places == sorted(places) and all(_is_ordered(member) for member in value.values())


def _is_index(key):
    return _INDEX.fullmatch(key) is not None and int(key) <= _GREATEST
