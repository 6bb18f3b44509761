"""The node a flex flow is: finds the user's function or class and calls it."""

import dataclasses
import importlib
import inspect
import json
import threading
import typing

from unroll_worker.connections import is_connection_class, make_connection
from unroll_worker.failure import LoadFailure

_targets = {}
_lock = threading.Lock()


def call_entry(node, action, entry, init, connections, file, inputs):
    """`action` is `load`, `call` or `aggregate`."""
    target = _target(node, entry, init, connections, file)
    if action == "load":
        return None
    if action == "aggregate":
        return _aggregate(target, inputs["line_results"])
    result = target(**inputs)
    return _await(result) if inspect.isawaitable(result) else _shaped(result)


async def _await(result):
    return _shaped(await result)


def _shaped(result):
    if dataclasses.is_dataclass(result) and not isinstance(result, type):
        return dataclasses.asdict(result)
    return result


def _target(node, entry, init, connections, file):
    """One function or instance a process, as Prompt flow has it."""
    key = (entry, json.dumps(init, sort_keys=True))
    with _lock:
        if key not in _targets:
            _targets[key] = _make(node, entry, init, connections, file)
        return _targets[key]


def _make(node, entry, init, connections, file):
    module_name, name = entry.split(":", 1)
    target = _import(module_name, file)
    for part in name.split("."):
        target = getattr(target, part)
    if not inspect.isclass(target):
        return target
    classes = _annotations(target.__init__)
    values = {key: _value(node, key, value, classes.get(key), connections) for key, value in init.items()}
    return target(**values)


def _import(module_name, file):
    try:
        return importlib.import_module(module_name)
    except Exception as error:
        raise LoadFailure(
            f"Failed to load python module for {file}: ({type(error).__name__}) {error}",
            ["UserError", "ToolValidationError", "PythonParsingError", "PythonLoadError"],
        ) from error


def _annotations(function):
    """Annotations by parameter, those of strings resolved."""
    try:
        return typing.get_type_hints(function)
    except Exception:
        return dict(getattr(function, "__annotations__", {}))


def _value(node, key, value, wanted, connections):
    classes = [one for one in (typing.get_args(wanted) or (wanted,)) if inspect.isclass(one)]
    named = [one for one in classes if is_connection_class(one)]
    if named and isinstance(value, str):
        request = {"connections": connections, "connectionNames": sorted(connections)}
        return make_connection(node, key, value, named, request)
    models = [one for one in classes if one.__name__.endswith("ModelConfiguration")]
    if isinstance(value, dict) and models:
        kind = value.get("type", "")
        fields = {name: field for name, field in value.items() if name != "type"}
        for model in models:
            if kind == "" or (model.__name__.startswith("Azure") == kind.startswith("azure")):
                return model(**fields)
    return value


def _aggregate(target, line_results):
    metrics = target.__aggregate__(line_results)
    if isinstance(metrics, dict):
        from promptflow.core import log_metric

        for key, value in metrics.items():
            log_metric(key, value)
    return metrics
