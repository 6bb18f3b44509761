"""What templates ask of a Python object as a whole: Jinja's tests, its truth, what it equals."""

import numbers
from collections.abc import Mapping
from datetime import date, time, timedelta
from enum import Enum
from pathlib import PurePath
from uuid import UUID

# Of these two are equal where they print the same.
_EQUAL_BY_TEXT = (Enum, PurePath, UUID, date, time, timedelta)
# Objects whose `==` is defined here, in C, equal nothing that a template can write but numbers.
_OWN_EQUALITY = {"builtins", "collections", "decimal"}


def tests(value):
    """Names of Jinja's tests that hold of an object by its class."""
    holds = {
        "callable": callable(value),
        # Asking an object for its items may begin what they come from.
        "iterable": has_method(value, "__iter__") or _does(iter, value),
        "mapping": isinstance(value, Mapping),
        "number": isinstance(value, numbers.Number),
        "sequence": _does(len, value) and hasattr(value, "__getitem__"),
    }
    return [name for name, does in holds.items() if does]


def has_method(value, name):
    """Whether the class of an object has it: an enum has some that its members do not have."""
    return any(name in vars(one) for one in type(value).__mro__)


def truth(value):
    """True or False; type and message of what asking for it raises, as an array or a table does."""
    try:
        return bool(value)
    except Exception as error:
        return {"type": type(error).__name__, "message": str(error)}


def equality(value):
    """`["number", n]`: it equals what n equals. `["text", isSure]`: of its class those that print the same, and where that is
    sure no others. `["none"]`: nothing plain. None: its class has a rule of its own."""
    number = _equal_number(value)
    if number is not None:
        return ["number", number]
    if isinstance(value, _EQUAL_BY_TEXT):
        # Two times in different zones may be the same time.
        return ["text", getattr(value, "tzinfo", None) is None]
    return ["none"] if _equals_nothing_plain(type(value)) else None


def _equal_number(value):
    if not has_method(value, "__float__"):
        return None
    try:
        near = float(value)
        candidates = (near, int(value)) if abs(near) != float("inf") and near == near else (near,)
        return next((number for number in candidates if _is_true(value == number)), None)
    except Exception:
        return None


def _is_true(answer):
    """An array of answers is none."""
    return answer is True or (type(answer).__name__ in ("bool", "bool_") and bool(answer))


def _equals_nothing_plain(kind):
    owner = next(one for one in kind.__mro__ if "__eq__" in vars(one))
    code = getattr(vars(owner)["__eq__"], "__code__", None)
    if code is None:
        return owner.__module__ in _OWN_EQUALITY
    # That of a dataclass is no code of a file.
    return code.co_filename.startswith("<") or owner.__module__.startswith("pydantic.")


def _does(ask, value):
    try:
        ask(value)
        return True
    except Exception:
        return False
