"""The node a flex flow is: finds the user's function or class and calls it."""

import dataclasses
import importlib
import inspect
import json
import threading
import typing

from unroll_worker.connections import is_connection_class, make_connection

_targets = {}
_lock = threading.Lock()


def call_entry(node, action, entry, init, connections, inputs, wraps):
    """`action` is `load`, `call` or `aggregate`; `wraps` puts a plain result under `output`."""
    target = _target(node, entry, init, connections)
    if action == "load":
        return None
    if action == "aggregate":
        return _aggregate(target, inputs["line_results"])
    result = target(**inputs)
    is_async = inspect.isawaitable(result) or hasattr(result, "__anext__")
    return _await(result, wraps) if is_async else _shaped(result, wraps)


async def _await(result, wraps):
    if inspect.isawaitable(result):
        result = await result
    if hasattr(result, "__anext__"):
        result = iter([item async for item in result])
    return _shaped(result, wraps)


def _shaped(result, wraps):
    if dataclasses.is_dataclass(result) and not isinstance(result, type):
        return dataclasses.asdict(result)
    if hasattr(result, "__next__"):
        # What is streamed is one text, as Prompt flow's outputs have it.
        result = "".join(str(item) for item in result)
    return {"output": result} if wraps and not isinstance(result, dict) else result


def _target(node, entry, init, connections):
    """One function or instance a process, as Prompt flow has it."""
    key = (entry, json.dumps(init, sort_keys=True))
    with _lock:
        if key not in _targets:
            _targets[key] = _make(node, entry, init, connections)
        return _targets[key]


def _make(node, entry, init, connections):
    module_name, name = entry.split(":", 1)
    target = importlib.import_module(module_name)
    for part in name.split("."):
        target = getattr(target, part)
    if not inspect.isclass(target):
        return target
    classes = _annotations(target.__init__)
    values = {key: _value(node, key, value, classes.get(key), connections) for key, value in init.items()}
    return target(**values)


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
