"""Which names Prompt flow's packages give: those that are installed, and those of ours that stand in for them."""

import importlib
import os
import re

from .own_folders import is_ours
from .packages import is_installed


def is_stand_in(spec):
    return bool(spec and spec.origin and is_ours(os.path.abspath(spec.origin)))


def absent_of_stand_in(name, parts):
    """What stands in for a package is ours, so that importing it runs no code of the user's."""
    try:
        module = importlib.import_module(name)
        for part in parts:
            if not hasattr(module, part):
                importlib.import_module(f"{name}.{part}")
    except ImportError as error:
        return error.name or name
    return None


def is_prompt_flows(spec):
    return spec.name.split(".")[0] == "promptflow" and is_installed(spec.origin or "")


def is_written(spec, name):
    """Whether the file of a package of Prompt flow's has a name anywhere in it.

    Its packages give what is asked of them by a function, which has the names in its text.
    """
    try:
        with open(spec.origin, encoding="utf-8") as file:
            text = file.read()
    except (OSError, ValueError):
        return True
    is_whole = not re.search(r"^\s*from\s+\S+\s+import\s+\*", text, re.MULTILINE)
    return not is_whole or name.startswith("__") or re.search(rf"\b_?{re.escape(name)}\b", text) is not None
