"""Exceptions as the engine gets them: class, message, and the lines that are the user's own."""

import os
import sys

from .memory import used_up
from .own_folders import is_ours

_LIBRARY_FOLDERS = tuple(
    os.path.abspath(folder) + os.sep for folder in {os.path.dirname(os.__file__), sys.prefix, sys.base_prefix}
)


class LoadFailure(Exception):
    """A node that cannot be made ready; `codes` is Prompt flow's chain down to the class."""

    def __init__(self, message, codes):
        super().__init__(message)
        self.codes = codes


def describe(error, folder):
    failure = {"type": type(error).__name__, "message": _text(error), "frames": _frames(error, folder)}
    codes = _own_codes(error)
    if codes is not None:
        failure["codes"] = codes
    if isinstance(error, LoadFailure):
        failure["codes"] = error.codes
        failure["type"] = error.codes[-1]
        if error.__cause__ is not None:
            failure["frames"] = _frames(error.__cause__, folder)
            failure["cause"] = {"type": type(error.__cause__).__name__, "message": _text(error.__cause__)}
    return failure


_CODES = {"UserErrorException": "UserError", "SystemErrorException": "SystemError", "ValidationException": "ValidationError"}


def _own_codes(error):
    """Chain of codes of an exception of Prompt flow's own kind, which is told as it is; None for any other."""
    names = [base.__name__ for base in type(error).__mro__]
    if "PromptflowException" not in names:
        return None
    own = getattr(error, "error_codes", None)
    if isinstance(own, list) and own and all(isinstance(code, str) for code in own):
        return own
    chain = [_CODES.get(name, name) for name in reversed(names[: names.index("PromptflowException")])]
    return chain if chain[:1] in (["UserError"], ["SystemError"]) else ["SystemError", *chain]


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
