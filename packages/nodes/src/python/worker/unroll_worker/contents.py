"""What is at a path, in the words that the engine compares later."""

import hashlib
import os
import stat as kinds

_LARGEST_READ = 64 * 2**20
_MOST_KNOWN = 10_000
_MOST_IN_PACKAGE = 2000
_stat = os.stat
_scandir = os.scandir
_readlink = os.readlink
_known = {}


def content_now(path):
    """A digest of what a file holds, `folder`, `no file` or `missing`."""
    try:
        found = _stat(path)
    except (OSError, ValueError):
        return "missing"
    if kinds.S_ISDIR(found.st_mode):
        return "folder"
    if not kinds.S_ISREG(found.st_mode):
        return "no file"
    stamp = (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)
    known = _known.get(path)
    if known is None or known[0] != stamp:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        known = _known[path] = (stamp, _file_digest(path, found))
    return known[1]


def link_now(path):
    """Where a link leads, whatever lies there; `missing` where there is none."""
    try:
        return digest(os.fsencode(_readlink(path)))
    except (OSError, ValueError):
        return "missing"


def _file_digest(path, found):
    if found.st_size > _LARGEST_READ:
        milliseconds = int(found.st_mtime_ns / 1e6 + 0.5)
        return digest(f"{found.st_size} {milliseconds}".encode())
    try:
        with open(path, "rb") as file:
            return digest(file.read())
    except OSError:
        return "not readable"


def text_now(path):
    """The same for a text of the user's, whatever its line ends are."""
    try:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return "missing"
    return digest(text.replace("\r\n", "\n").encode("utf-8"))


def names_now(path):
    """A digest of the names in a folder; a file that became a folder of the same name counts."""
    try:
        with _scandir(path) as entries:
            names = [os.fsencode(entry.name) + (b"/" if entry.is_dir(follow_symlinks=False) else b"") for entry in entries]
    except OSError:
        return "missing"
    return digest(b"\n".join(sorted(names)))


def files_now(path):
    """A digest of a file, or of all files in a folder and below it but what Python itself writes there; of so many at most."""
    found = []
    folders = [path] if content_now(path) == "folder" else []
    while folders and len(found) < _MOST_IN_PACKAGE:
        with _scandir(folders.pop()) as entries:
            for entry in entries:
                if not entry.is_dir():
                    found.append(entry.path)
                elif entry.name != "__pycache__":
                    folders.append(entry.path)
    if not found:
        return content_now(path)
    lines = [f"{os.path.relpath(file, path)}\0{content_now(file)}" for file in sorted(found)]
    return digest("\n".join(lines).encode("utf-8", "surrogateescape"))


def digest(data):
    return hashlib.sha256(data).hexdigest()[:32]
