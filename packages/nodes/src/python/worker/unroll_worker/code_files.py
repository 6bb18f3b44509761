"""Whose code a file is: the user's, a package's, Python's own or ours; and who stands behind a call."""

import os
import sys

from .own_folders import is_ours
from .packages import is_installed, is_standard, package_identity
from .seen_paths import seen_from

# What is no code of the user's nor of a package.
OURS, STANDARD, IMPORTING, NO_FILE = "ours", "standard", "importing", "no file"
OTHER = frozenset((OURS, STANDARD, IMPORTING, NO_FILE))

# Makes functions into nodes; what it does while it is imported is done for no node.
_NODE_MAKER = "package:promptflow"

# Packages with extension modules that read files by Python's means only, or none.
_READ_BY_PYTHON = frozenset(
    "PIL _brotli _cffi_backend _yaml aiohttp bcrypt bottleneck cffi charset_normalizer cryptography cython fastuuid "
    "frozenlist greenlet jiter kiwisolver lz4 markupsafe matplotlib msgpack multidict numpy orjson ormsgpack pandas "
    "propcache pydantic_core rapidfuzz regex rpds scipy simplejson sklearn sqlalchemy tiktoken tornado ujson uuid_utils "
    "websockets wrapt xxhash yaml yarl zstandard".split()
)


class Files:
    def __init__(self):
        self._folder = os.getcwd()
        self._given_folder = self._folder
        self._known = {}
        self._identities = {}

    def seen_from(self, folder):
        """The flow's folder as the engine writes it; the working folder is the same without links."""
        self._given_folder = folder

    def module_of(self, file):
        """A name of the module a file is of: its path, `package:NAME`, or one of OTHER."""
        known = self._known.get(file)
        if known is None:
            known = self._known[file] = self._find(file)
        return known

    def _find(self, file):
        if file.startswith("<frozen importlib"):
            return IMPORTING
        if file.startswith("<"):
            return NO_FILE
        path = os.path.abspath(file)
        if is_ours(path):
            return OURS
        if is_installed(path):
            return "package:" + _top_module(path)
        return STANDARD if is_standard(path) else path

    def is_importing(self, frame):
        return self.module_of(frame.f_code.co_filename) is IMPORTING

    def is_read_by_loader(self, frame):
        """Whether a module is imported, and not a loader asked for what a file holds (`pkgutil.get_data`)."""
        if not self.is_importing(frame):
            return False
        caller = frame.f_back
        return frame.f_code.co_name != "get_data" or caller is None or self.is_importing(caller)

    def is_standard(self, frame):
        return self.module_of(frame.f_code.co_filename) is STANDARD

    def callers(self, frame, passes=None):
        """The files of the user's on the stack and the packages within the innermost of them.

        Empty: it may be anybody; None: it is ourselves.
        """
        found, is_ours, is_users = [], False, False
        while frame is not None:
            module = self.module_of(frame.f_code.co_filename)
            if module == _NODE_MAKER and not is_users and frame.f_code.co_name == "<module>":
                return [module]
            frame = frame.f_back
            if module is OURS:
                is_ours = True
            if module in OTHER or module == passes or module in found:
                continue
            is_package = module.startswith("package:")
            if not (is_package and is_users):
                found.append(module)
            is_users = is_users or not is_package
        return None if is_ours and not found else found

    def shown(self, path):
        """From the flow's folder where it is in it or near it, else absolute."""
        base = self._folder if path.startswith(self._folder + os.sep) or path == self._folder else self._given_folder
        way = seen_from(base, path)
        return path.replace(os.sep, "/") if way.startswith("../../../") else way

    def identity(self, module):
        if module not in self._identities:
            self._identities[module] = package_identity(module[len("package:") :])
        return self._identities[module]

    def reads_by_python(self, module):
        return module[len("package:") :] in _READ_BY_PYTHON


def _top_module(path):
    parts = path.split(os.sep)
    for folder in ("site-packages", "dist-packages"):
        if folder in parts[:-1]:
            return parts[len(parts) - parts[::-1].index(folder)].split(".")[0]
    return parts[-1].split(".")[0]


def user_folders():
    """Folders of `sys.path` in which modules of the user's are looked for."""
    folders = (os.path.abspath(path) for path in sys.path)
    return [path for path in folders if not _is_foreign(path) and not is_ours(path)]


def _is_foreign(path):
    return is_installed(path) or is_standard(os.path.join(path, "x")) or not os.path.isdir(path)
