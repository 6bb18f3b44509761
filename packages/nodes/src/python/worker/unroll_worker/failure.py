"""Exceptions as the engine gets them: class, message, and the lines that are the user's own."""

import os
import sys

from .memory import used_up
from .own_folders import is_ours

_LIBRARY_FOLDERS = tuple(
    os.path.abspath(folder) + os.sep for folder in {os.path.dirname(os.__file__), sys.prefix, sys.base_prefix}
)


_MOST_CAUSES = 10
_MOST_LOOKED_AT = 100

# What a network that fails and a service under load raise, by the classes of Python and of the clients that flows use: another try may pass.
_PASSING = {
    "ConnectionError",
    "TimeoutError",
    "Timeout",
    "TransportError",
    "ClientConnectionError",
    "APIConnectionError",
    "RateLimitError",
    "InternalServerError",
    "ServiceRequestError",
    "ServiceResponseError",
}


class LoadFailure(Exception):
    """A node that cannot be made ready; `code` is the class by which it is told."""

    def __init__(self, message, code):
        super().__init__(message)
        self.code = code


def describe(error, folder):
    """Of an exception that cannot be looked at, its class and its message: a call without a reply is waited for."""
    try:
        return _described(error, folder)
    except BaseException:
        return {"type": _name(error), "message": _text(error), "frames": []}


def _name(error):
    try:
        return type(error).__name__
    except BaseException:
        return "Exception"


def _described(error, folder):
    failure = {"type": type(error).__name__, "message": _text(error), "frames": _frames(error, folder)}
    if _is_told_as_it_is(error):
        failure["isPlain"] = True
    if any(base.__name__ in _PASSING for one in [error, *_chain(error)] for base in type(one).__mro__):
        failure["mayPass"] = True
    if isinstance(error, LoadFailure):
        failure["isPlain"] = True
        failure["type"] = error.code
        if error.__cause__ is not None:
            failure["frames"] = _frames(error.__cause__, folder)
            failure["cause"] = {"type": type(error.__cause__).__name__, "message": _text(error.__cause__)}
    elif raised_from := _raised_from(error):
        failure["from"] = raised_from
    return failure


def _raised_from(error):
    """What is told of what Python prints with it; a text that says nothing new is left out."""
    told, texts = [], {_text(error)}
    for one in _chain(error):
        name, text = type(one).__name__, _text(one)
        if (text or name) not in texts:
            texts.add(text or name)
            told.append(f"{name}: {text}" if text else name)
    return told[:_MOST_CAUSES]


def _chain(error):
    """What Python prints with an error: its cause, or what was handled when it was raised, and the exceptions of a group."""
    found, seen, waiting = [], {id(error)}, _beside(error)
    while waiting and len(found) < _MOST_LOOKED_AT:
        one = waiting.pop(0)
        if id(one) in seen:
            continue
        seen.add(id(one))
        found.append(one)
        waiting = _beside(one) + waiting
    return found


def _beside(error):
    # By what they are: an exception with a length may be empty, and false.
    context = None if error.__suppress_context__ else error.__context__
    from_ = context if error.__cause__ is None else error.__cause__
    group = getattr(error, "exceptions", ()) if _is_group(error) else ()
    return [one for one in (from_, *group[:_MOST_CAUSES]) if isinstance(one, BaseException)]


def _is_group(error):
    """Python has groups since 3.11."""
    return any(base.__name__ == "BaseExceptionGroup" for base in type(error).__mro__)


def _is_told_as_it_is(error):
    """Whether it is an exception of promptflow's own kind, which no node wraps."""
    return any(base.__name__ == "PromptflowException" for base in type(error).__mro__)


def _text(error):
    try:
        text = str(error)
    except BaseException:
        return ""
    return used_up() if text == "" and isinstance(error, MemoryError) else text


def _frames(error, folder):
    """`file.py:12 in search`, newest last; a syntax error adds the line that cannot be read."""
    import traceback

    frames = [
        f"{_shown(frame.filename, folder)}:{frame.lineno} in {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
        if _is_users(frame.filename, folder)
    ]
    if isinstance(error, SyntaxError) and error.filename and _is_users(error.filename, folder):
        frames.append(f"{_shown(error.filename, folder)}:{error.lineno}")
    return frames


def _is_users(filename, folder):
    if filename.startswith("<") or is_ours(filename):
        return False
    if os.sep + "site-packages" + os.sep in filename:
        return False
    return filename.startswith(folder + os.sep) or not filename.startswith(_LIBRARY_FOLDERS)


def _shown(filename, folder):
    if filename.startswith(folder + os.sep):
        return filename[len(folder) + 1 :].replace(os.sep, "/")
    return filename
