"""What keeps nodes from being made ready with tools of installed packages, as far as it is seen without calling any of them."""

import importlib

from .connections import fitting_class
from .failure import LoadFailure
from .package_tools import connection_classes, constructor_names, find_listed, given_literals, prompt_input, value_types
from .value_types import is_file, parse_literal


def package_mistakes(nodes):
    return [told for node in nodes for told in _mistakes_of(node)]


def _mistakes_of(request):
    try:
        definition, _ = find_listed(request["package"])
    except LoadFailure as failure:
        # A tool that no package lists is told by `unusable_tools`.
        return [] if failure.code == "PackageToolNotFoundError" else [_told(request, failure)]
    mistakes = []
    for key, value in given_literals(request).items():
        written = (definition.get("inputs") or {}).get(key)
        if written is not None and key not in request["unseen"]:
            mistakes += _failing(request, key, _require_value, request, key, value, written)
    return mistakes + _failing(request, None, _require_function, request, definition)


def _failing(request, input, require, *given):
    try:
        require(*given)
    except LoadFailure as failure:
        return [_told(request, failure, input)]
    except Exception:
        # Whether a run stops there too is not certain.
        pass
    return []


def _told(request, failure, input=None):
    return {"node": request["node"], "kind": failure.code, "message": str(failure), "input": input}


def _require_value(request, key, value, written):
    types = value_types(written)
    if types[0].endswith("Connection"):
        # The connection may name a class of its own.
        if not written.get("custom_type"):
            fitting_class(request["node"], key, value, connection_classes(types), request, is_by_name=True)
    elif not is_file(types[0]):
        parse_literal(request["node"], key, value, types[0])


def _require_function(request, definition):
    module = importlib.import_module(definition["module"])
    class_name, name = definition.get("class_name"), definition["function"]
    title = definition.get("name", request["package"])
    owner = _member(module, class_name) if class_name else module
    if class_name:
        constructor_names(owner, title, given_literals(request), request["references"])
    # An object may get it when it is made.
    if class_name and not hasattr(owner, name):
        return
    function = _member(owner, name)
    if request["variables"] is not None:
        prompt_input(request["node"], title, function, definition.get("inputs") or {}, request)


def _member(owner, name):
    try:
        return getattr(owner, name)
    except AttributeError as error:
        raise LoadFailure(str(error), "AttributeError") from error
