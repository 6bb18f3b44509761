"""Calls of models that code makes itself with the package openai: the tokens that their answers tell."""

import contextlib
import functools
import json
import re
import sys

from .call import current_call
from .tally import Tally

# Every request of the package goes through its clients of this module, whichever of its methods code calls.
_CLIENTS = "openai._base_client"
_ASKS = re.compile(r"(/chat/completions|/completions|/embeddings|/responses|/threads(/[^/]+)?/runs)$")


_under_way = list


def watch_model_calls(calls_under_way):
    """Once the package is loaded, whoever loads it. `calls_under_way` gives those that a thread without a call may belong to."""
    global _under_way
    _under_way = calls_under_way
    sys.meta_path.insert(0, _OnceLoaded())


def tally_here():
    """That of the call that this code runs for; threads that code starts belong to one where it alone is under way."""
    call = current_call.get()
    if call is not None:
        return call.tally
    calls = _under_way()
    if len(calls) == 1:
        return calls[0].tally
    for one in calls:
        # It is one of theirs, and nobody can tell whose.
        one.tally.untold()
    return Tally()


class _OnceLoaded:
    """Finds the module as it would be found, and looks at it once it is loaded."""

    def find_spec(self, name, path=None, target=None):
        if name != _CLIENTS:
            return None
        others = (one for one in sys.meta_path if one is not self and hasattr(one, "find_spec"))
        spec = next((found for one in others if (found := one.find_spec(name, path, target))), None)
        load = getattr(getattr(spec, "loader", None), "exec_module", None)
        if load is not None:
            spec.loader.exec_module = lambda module: self._load(load, module)
        return spec

    def _load(self, load, module):
        load(module)
        _watch(module)


def _watch(module):
    ask, ask_async = module.SyncAPIClient.request, module.AsyncAPIClient.request

    @functools.wraps(ask)
    def request(client, cast_to, options, *arguments, **named):
        is_counted = _asks_model(options)
        answer = ask(client, cast_to, options, *arguments, **named)
        if is_counted:
            _hear(client, options, answer, tally_here())
        return answer

    @functools.wraps(ask_async)
    async def request_async(client, cast_to, options, *arguments, **named):
        is_counted = _asks_model(options)
        answer = await ask_async(client, cast_to, options, *arguments, **named)
        if is_counted:
            _hear(client, options, answer, tally_here())
        return answer

    module.SyncAPIClient.request = request
    module.AsyncAPIClient.request = request_async


def _asks_model(options):
    """Before the call: the client of Azure puts the deployment into the path."""
    is_post = str(getattr(options, "method", "")).lower() == "post"
    return is_post and _ASKS.search(str(getattr(options, "url", "")).split("?")[0]) is not None


def hear_answer(answer, model, service):
    """The whole answer of a call that is made otherwise than by the package."""
    _Told(tally_here(), model, service).answer(answer)


def heard_stream(chunks, model, service):
    """The same of an answer that comes in chunks, which go through."""
    tally = tally_here()
    tally.begin()
    return _heard(chunks, _Told(tally, model, service))


def _hear(client, options, answer, tally):
    asked = getattr(options, "json_data", None)
    model = asked.get("model") if isinstance(asked, dict) else None
    told = _Told(tally, model, "azure_open_ai" if "azure" in type(client).__name__.lower() else "open_ai")
    try:
        if hasattr(answer, "_iterator"):
            tally.begin()
            is_async = hasattr(type(answer), "__anext__")
            answer._iterator = (_heard_async if is_async else _heard)(answer._iterator, told)
        elif hasattr(answer, "http_response"):
            # Asked for as a whole response, which is read already but where it is a stream.
            told.answer(json.loads(answer.http_response.content))
        else:
            told.answer(answer)
    except Exception:
        tally.untold()


class _Told:
    """What one call tells, for the tally that it counts in."""

    def __init__(self, tally, model, service):
        self.tally = tally
        self._model = model
        self._service = service

    def answer(self, answer):
        usage = _member(answer, "usage")
        if usage is None:
            self.tally.untold()
        else:
            self.tally.told(_member(answer, "model") or self._model, self._service, _plain(usage))


def _heard(items, told):
    with _stream(told) as last:
        for item in items:
            last.take(item)
            yield item


async def _heard_async(items, told):
    with _stream(told) as last:
        async for item in items:
            last.take(item)
            yield item


@contextlib.contextmanager
def _stream(told):
    last = _Last()
    try:
        yield last
    finally:
        told.tally.end()
        told.answer(last.told)


class _Last:
    """Of the items of a stream that which tells its tokens: the last one, where it was asked for."""

    def __init__(self):
        self.told = None

    def take(self, item):
        whole = _member(item, "response") or item
        if _member(whole, "usage") is not None:
            self.told = whole


def _member(value, name):
    return value.get(name) if isinstance(value, dict) else getattr(value, name, None)


def _plain(usage):
    """As the service wrote it."""
    if isinstance(usage, dict):
        return usage
    for method in ("to_dict", "model_dump", "dict"):
        if hasattr(usage, method):
            return json.loads(json.dumps(getattr(usage, method)(), default=str))
    return {}
