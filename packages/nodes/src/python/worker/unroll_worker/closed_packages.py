"""Installed packages whose modules are those that lie in them. Many give more as they are imported: nothing is told of these."""

import functools
import os
import re

from .module_specs import is_namespace, locations_of, spec_of
from .packages import is_installed
from .source_texts import bytes_of

# `sys.modules["name"]`, `sys.modules.get("name")` and `"name" in sys.modules` are no doors.
_READS = re.compile(rb"\bin\s+sys\.modules\b|\bsys\.modules(?:\.get\(|\[[^\[\]\n]*\](?!\s*(?:=[^=]|\])))")
_OPENS = re.compile(
    rb"sys\.modules|import\s+modules|meta_path|path_hooks|extend_path|declare_namespace"
    rb"|__path__\s*(?:[+:]?=[^=]|\.(?:append|insert|extend)|\[[^\]\n]*\]\s*=[^=])"
)
_MOST_FILES = 5000


def closed_package(name):
    """The outermost package that a module would be in, where it is installed and nothing in it gives modules that lie nowhere; else None."""
    path, parts = None, name.split(".")
    for count in range(1, len(parts)):
        spec = spec_of(".".join(parts[:count]), path)
        if spec is None or spec.submodule_search_locations is None:
            return None
        path = locations_of(spec)
        if not is_namespace(spec):
            return spec.name if is_installed(spec.origin or "") and _is_closed(tuple(path)) else None
    return None


@functools.lru_cache(maxsize=64)
def _is_closed(folders):
    count = 0
    for folder in folders:
        if not os.path.isfile(os.path.join(folder, "__init__.py")):
            return False
        for inside, _, names in os.walk(folder):
            count += len(names)
            if count > _MOST_FILES or any(not _is_plain(os.path.join(inside, one)) for one in names):
                return False
    return True


def _is_plain(path):
    """Whether a file gives no modules but itself. Compiled ones do so without a word."""
    if not path.endswith(".py"):
        return not path.endswith((".so", ".pyd", ".dll"))
    code = bytes_of(path)
    return code is not None and _OPENS.search(_READS.sub(b"", code)) is None
