"""Which installed package a module is of, and the versions of all that package needs."""

import os
import re
import sysconfig

from .contents import digest, files_now


def is_standard(path):
    """Whether a file, or what a module's spec names in place of one, comes with Python itself."""
    return path in ("built-in", "frozen") or not is_installed(path) and any(_is_below(path, folder) for folder in _folders("stdlib", "platstdlib"))


def is_installed(path):
    return any(part in ("site-packages", "dist-packages") for part in path.split(os.sep)) or any(
        _is_below(path, folder) for folder in _folders("purelib", "platlib")
    )


def package_identity(module):
    """Version of the package that gives a top-level module, with a digest over those of all it needs.

    Returns (name, identity); of a module that no package is known to give, a digest of its files, and so of a package
    whose version does not tell what it holds.
    """
    from importlib import metadata

    name = _package_of(module)
    if name is None:
        return module, "files " + _files_of(module)
    others = {}
    _add_needed(name, others)
    others.pop(_plain(name), None)
    package = metadata.distribution(name)
    version = package.version if _is_told_by_version(package) else f"{package.version}, files {_files_in(package)}"
    if not others:
        return name, version
    import hashlib

    text = "\n".join(f"{other} {others[other]}" for other in sorted(others))
    digest = hashlib.sha256(text.encode("utf-8")).hexdigest()[:12]
    return name, f"{version}, with {len(others)} more {digest}"


def _is_told_by_version(package):
    """Tools of a flow are edited where they lie, and what came from a folder, an archive or git is no release."""
    is_release = package.read_text("direct_url.json") is None
    return is_release and all(point.group != "package_tools" for point in package.entry_points)


def _files_in(package):
    """A digest of all that lies where a package was installed, but for what the installer wrote of it."""
    tops = {str(file).replace("\\", "/").split("/")[0] for file in package.files or []}
    own = sorted(top for top in tops if top not in ("..", "__pycache__") and not top.endswith((".dist-info", ".egg-info")))
    places = [str(package.locate_file(top)) for top in own]
    return digest("\n".join(f"{top} {files_now(place)}" for top, place in zip(own, places)).encode("utf-8"))


def _files_of(module):
    from importlib import util

    try:
        spec = util.find_spec(module)
    except (ImportError, ValueError):
        return "missing"
    if spec is None:
        return "missing"
    places = list(spec.submodule_search_locations or [])
    if not places:
        return files_now(spec.origin) if spec.has_location else str(spec.origin)
    return " ".join(files_now(place) for place in places)


def _package_of(module):
    from importlib import metadata

    try:
        return metadata.distribution(module).metadata["Name"]
    except metadata.PackageNotFoundError:
        names = _packages_by_module().get(module)
        return names[0] if names else None


_by_module = None


def _packages_by_module():
    global _by_module
    if _by_module is None:
        from importlib import metadata

        _by_module = {}
        for package in metadata.distributions():
            top = (package.read_text("top_level.txt") or "").split()
            files = [] if top else [str(file).replace("\\", "/") for file in package.files or []]
            for module in {*top, *(re.sub(r"\.py$", "", file.split("/")[0]) for file in files if file.endswith(".py"))}:
                _by_module.setdefault(module, []).append(package.metadata["Name"])
    return _by_module


def _add_needed(name, known):
    from importlib import metadata

    try:
        package = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return
    if _plain(name) in known:
        return
    known[_plain(name)] = package.version
    for needed in package.requires or []:
        found = re.match(r"[A-Za-z0-9][\w.-]*", needed)
        if found and "extra ==" not in needed:
            _add_needed(found.group(), known)


def _plain(name):
    return re.sub(r"[-_.]+", "-", name).lower()


_paths = sysconfig.get_paths()


def _folders(*kinds):
    return [_paths[kind] for kind in kinds if _paths.get(kind)]


def _is_below(path, folder):
    return os.path.realpath(path).startswith(os.path.realpath(folder) + os.sep)
