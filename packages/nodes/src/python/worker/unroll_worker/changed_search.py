"""Code that changes where modules are looked for, as far as its text tells."""

import functools
import os
import re

from .module_specs import spec_of

_CHANGES = re.compile(r"\bsys\.(path|modules|meta_path)\b|\baddsitedir\b|__path__")
# `[sys.executable, "-m", "pip", "install", "name"]` and `os.system("pip install name")`, and no comment nor what is said alone.
_INSTALLS = re.compile(
    r"^[^#\n]*(?:[\"']pip3?[\"']\s*,\s*[\"']install\b|(?:system|run|call|output|Popen)\(\s*[fr]?[\"'][^\"'\n]*\bpip3? install\b)",
    re.MULTILINE,
)
_FILE = r"(?:os\.path\.(?:abspath|realpath)\(\s*)?__file__\s*\)*"
# `sys.path.append(os.path.dirname(os.path.abspath(__file__)))`: the folder of the file itself.
_ADDS_ITS_FOLDER = re.compile(
    r"sys\.path\.(?:append\(|insert\(\s*\d+\s*,)\s*"
    r"(?:os\.path\.(?:join|abspath|realpath|normpath)\(\s*|str\(\s*)*"
    rf"(?:os\.path\.dirname\(\s*{_FILE}|(?:pathlib\.)?Path\(\s*__file__\s*\)(?:\.(?:resolve|absolute)\(\))?\.parent)[\s)]*$",
    re.MULTILINE,
)
_MOST_FOLDERS = 2000


class ChangedSearch:
    def __init__(self, root):
        """root: the folder of the flow"""
        # Whether modules may be found where nobody can tell.
        self.is_doubtful = False
        # Whether some may come to be where modules are looked for.
        self.installs = False
        self._root = root
        self._added = []

    def read(self, path, text):
        rest = _ADDS_ITS_FOLDER.sub("", text)
        if rest != text:
            self._added.append(os.path.dirname(path))
        self.is_doubtful = self.is_doubtful or _CHANGES.search(rest) is not None
        self.installs = self.installs or _INSTALLS.search(text) is not None

    def spec_of(self, name):
        """Of a module that is not where Python looks: in a folder that was added or, in doubt, in any below the flow's that has Python files."""
        folders = [*self._added, *(self._below if self.is_doubtful else [])]
        return spec_of(name, folders) if folders else None

    @functools.cached_property
    def _below(self):
        return _folders_below(self._root)


def _folders_below(root):
    folders = []
    for count, (folder, below, names) in enumerate(os.walk(root)):
        below[:] = [name for name in below if not name.startswith((".", "__")) and name != "node_modules"]
        if any(name.endswith(".py") for name in names):
            folders += [folder, os.path.dirname(folder)]
        if count >= _MOST_FOLDERS:
            break
    return [folder for folder in dict.fromkeys(folders) if (folder + os.sep).startswith(root + os.sep)]
