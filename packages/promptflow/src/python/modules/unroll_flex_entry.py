"""The node a flex flow is: finds the user's function or class and calls it."""

import copy
import dataclasses
import importlib
import inspect
import json
import threading
import typing

from unroll_worker.call import current_call
from unroll_worker.connections import is_connection_class, make_connection
from unroll_worker.failure import LoadFailure

_targets = {}
_lock = threading.Lock()
_PYTHON_LOAD_ERROR = "PythonLoadError"


def call_entry(node, action, entry, init, connections, connectionNames, file, inputs):
    """`action` is `load`, which tells of the entry, `call`, `call-with` those inputs that it takes, or `aggregate`."""
    request = {"connections": connections, "connectionNames": connectionNames}
    target = _target(node, entry, init, request, file)
    if action == "load":
        function = _function(target)
        is_async = inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)
        return {"name": function.__qualname__, "isAsync": is_async}
    if action == "aggregate":
        return _aggregate(target, inputs["line_results"])
    try:
        taken = _taken(target, inputs) if action == "call-with" else inputs
        result = target(**{**_own_defaults(target, taken), **taken})
    except Exception as error:
        raise _as_any_other(error)
    if inspect.isgenerator(result):
        return _pieces(_function(target).__qualname__, result)
    return _await(result) if inspect.isawaitable(result) else _shaped(result)


class ScriptExecutionError(Exception):
    """What Prompt flow raises where the code of a flow fails; a generator fails only once it is read."""


def _pieces(name, generator):
    try:
        yield from generator
    except Exception as error:
        raise ScriptExecutionError(f"Execution failure in '{name}': ({type(error).__name__}) {error}") from error


def _taken(target, inputs):
    parameters = inspect.signature(target).parameters.values()
    names = {one.name for one in parameters if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)}
    return {name: value for name, value in inputs.items() if name in names}


def _own_defaults(target, given):
    """Lists and mappings that are defaults of parameters, one for each row: code that fills them fills its own."""
    try:
        parameters = inspect.signature(target).parameters.values()
    except (TypeError, ValueError):
        return {}
    return {
        one.name: copy.deepcopy(one.default)
        for one in parameters
        if type(one.default) in (list, dict) and one.kind is not one.POSITIONAL_ONLY and one.name not in given
    }


def _function(target):
    return target if inspect.isroutine(target) else type(target).__call__


def _as_any_other(error):
    """Prompt flow tells an exception of its own like any other that the code of a flow raises."""
    if all(base.__name__ != "PromptflowException" for base in type(error).__mro__):
        return error
    return type(type(error).__name__, (Exception,), {})(str(error)).with_traceback(error.__traceback__)


async def _await(result):
    try:
        return _shaped(await result)
    except Exception as error:
        raise _as_any_other(error)


def _shaped(result):
    """Generators in the fields of a record stay what they are."""
    if not dataclasses.is_dataclass(result) or isinstance(result, type):
        return result
    return {field.name: getattr(result, field.name) for field in dataclasses.fields(result)}


def _target(node, entry, init, request, file):
    """One function or instance a process, as Prompt flow has it."""
    key = (entry, json.dumps(init, sort_keys=True))
    with _lock:
        if key not in _targets:
            _targets[key] = _make(node, entry, init, request, file)
        return _targets[key]


def _make(node, entry, init, request, file):
    module_name, name = entry.split(":", 1)
    target = _undecorated(getattr(_import(module_name, file), name, None))
    if not inspect.isclass(target):
        if inspect.isfunction(target):
            return target
        raise LoadFailure(
            f"Failed to load python function '{name}' from file '{module_name}', got {target}.", _PYTHON_LOAD_ERROR
        )
    try:
        return _instance(node, target, init, request)
    except Exception as error:
        raise _as_any_other(error)


def _undecorated(target):
    """`@trace` above a class makes it a function."""
    within = inspect.unwrap(target) if inspect.isfunction(target) else target
    return within if inspect.isclass(within) else target


def _instance(node, target, init, request):
    classes = _annotations(target.__init__)
    parameters = inspect.signature(target.__init__).parameters
    needed = [key for key in parameters if _is_made(classes.get(key))]
    resolved = {key: init[key] for key in needed if key in init or parameters[key].default is inspect.Parameter.empty}
    values = {key: _value(node, key, value, classes[key], request) for key, value in resolved.items()}
    made = target(**{**init, **values})
    aggregate = getattr(made, "__aggregate__", None)
    if aggregate is not None and len(inspect.signature(aggregate).parameters) != 1:
        raise TypeError("The __aggregate__ method should have only one parameter.")
    return made


def _import(module_name, file):
    try:
        return importlib.import_module(module_name)
    except Exception as error:
        raise LoadFailure(
            f"Failed to load python module for {file}: ({type(error).__name__}) {error}",
            _PYTHON_LOAD_ERROR,
        ) from error


def _annotations(function):
    """Annotations by parameter, those of strings resolved."""
    try:
        return typing.get_type_hints(function)
    except Exception:
        return dict(getattr(function, "__annotations__", {}))


def _classes(wanted):
    return [one for one in (typing.get_args(wanted) or (wanted,)) if inspect.isclass(one)]


def _is_made(wanted):
    """Whether a value of this parameter is made of what is written."""
    return any(is_connection_class(one) or _is_model(one) for one in _classes(wanted))


def _is_model(candidate):
    return candidate.__name__.endswith("ModelConfiguration")


def _value(node, key, value, wanted, request):
    classes = _classes(wanted)
    named = [one for one in classes if is_connection_class(one)]
    if named and isinstance(value, str):
        return _connection(node, key, value, named, request)
    models = [one for one in classes if _is_model(one)]
    return _model(node, key, value, models, request) if models else value


def _connection(node, key, name, classes, request):
    if name not in request["connections"]:
        raise LookupError(
            f"Connection {name!r} not found in dict connection provider. "
            f"Available keys are {list(request['connectionNames'])}."
        )
    return make_connection(node, key, name, classes, request)


def _model(node, key, value, models, request):
    """A model configuration of the fields that are written, or of those of the connection it names."""
    from promptflow.connections import AzureOpenAIConnection, OpenAIConnection

    if isinstance(value, dict):
        kind = value.get("type", "")
        chosen = [one for one in models if kind == "" or one.__name__.startswith("Azure") == kind.startswith("azure")]
        fields = {name: field for name, field in value.items() if name != "type"}
        value = (chosen or models)[0](**fields)
    if not isinstance(value, tuple(models)):
        raise TypeError(f"Model config value is not an instance of {models[0]}, got {type(value)}")
    if not value.connection:
        return value
    connection = _connection(node, key, value.connection, [AzureOpenAIConnection, OpenAIConnection], request)
    if type(value).__name__.startswith("Azure"):
        return type(value).from_connection(connection=connection, azure_deployment=value.azure_deployment)
    return type(value).from_connection(connection=connection, model=value.model)


def _aggregate(target, line_results):
    try:
        results = [AttrDict(one) if isinstance(one, dict) else one for one in line_results]
        metrics = target.__aggregate__(results)
    except Exception:
        _set_metrics(None)
        raise
    return _await_metrics(metrics) if inspect.isawaitable(metrics) else _logged(metrics)


async def _await_metrics(metrics):
    try:
        return _logged(await metrics)
    except Exception:
        _set_metrics(None)
        raise


class AttrDict(dict):
    """As in Prompt flow, members of a result are its attributes too; a record comes as the mapping of its fields."""

    def __getattr__(self, name):
        if name in self:
            return self[name]
        raise AttributeError(f"the result has no {name!r}")

    def __setattr__(self, name, value):
        self[name] = value


def _logged(metrics):
    """What the method gives is the metrics, whatever it logged."""
    _set_metrics(metrics if isinstance(metrics, dict) else None)
    return metrics


def _set_metrics(metrics):
    call = current_call.get()
    if call is not None:
        call.metrics = metrics
