"""Where modules would be found, by the finders that Python itself asks; none is imported."""

import importlib.machinery
import sys
from contextlib import contextmanager
from types import ModuleType


def spec_of(name, path):
    if name == "__main__":
        return sys.modules[name].__spec__ or importlib.machinery.ModuleSpec(name, None)
    with _as_if_imported(name.rpartition(".")[0], path):
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = find(name, path) if find else None
            if spec is not None:
                return spec
    return None


@contextmanager
def _as_if_imported(name, path):
    """A namespace in a module asks the module, which is not imported here, where its parts are."""
    if name == "" or name in sys.modules:
        yield
        return
    module = ModuleType(name)
    module.__path__ = path or []
    sys.modules[name] = module
    try:
        yield
    finally:
        del sys.modules[name]


def locations_of(spec):
    # Asked for its members, the path of a nested namespace wants its parent to be imported.
    return list(getattr(spec.submodule_search_locations, "_path", spec.submodule_search_locations))


def is_namespace(spec):
    return spec.origin is None and spec.submodule_search_locations is not None
