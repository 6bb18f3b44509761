

# What follows ends a loop that was laid out as plain nodes.

import functools
import importlib.util
import json
import os

from promptflow.core import tool

# Code of nodes may import the functions above under this name.
if __name__ == "unroll":
    sys.modules["unroll.functions"] = sys.modules[__name__]

_STATUSES = ("answered", "asked_user", "gave_up", "refused", "unfinished", "failed", "returned_control")


class LoopExhausted(Exception):
    pass


class LoopStateInvalid(Exception):
    pass


@tool
def loop_end(
    state: object,
    until: str = "finished",
    on_exhausted: str = "unfinished",
    loop: str = "",
    final: object = None,
    answer_behind: str = "",
    keeps_results: bool = True,
):
    """The result of a loop from its last state: {status, answer, ...}."""
    ended = _end_of(state, until, on_exhausted, loop, final, answer_behind)
    if not keeps_results:
        ended.pop("function_results", None)
    return ended


def call_tool(path, given):
    """What the one tool of a file gives; path: relative to this file."""
    output = _tool_of(path)(**given)
    if inspect.isawaitable(output):
        import asyncio

        output = asyncio.run(_value_of(output))
    return output


def feed_back(path, given, state_input, message_input):
    """What the one tool of a file gives; where it fails, the state with the error among its results, for the model to read.

    state_input, message_input: which of the inputs given these are
    """
    try:
        return call_tool(path, given)
    except Exception as error:
        return _fed_back(given.get(state_input), given.get(message_input), f"{type(error).__name__}: {error}")


def _end_of(state, until, on_exhausted, loop, final, answer_behind):
    if not isinstance(state, dict):
        raise LoopStateInvalid(
            f"The last state of loop '{loop}' is no object, so that nobody can tell whether it has finished."
        )
    if state.get(until) is True:
        return _finished(state)
    odd = _odd_end(state, until)
    if on_exhausted == "fail":
        if odd is not None:
            raise LoopExhausted(f"Loop '{loop}' cannot go on: {odd}.")
        raise LoopExhausted(f"Loop '{loop}' reached its bound and '{until}' of its state is still not true.")
    results = state.get("function_results")
    rest = {"function_results": [] if results is None else results}
    if odd is not None:
        rest["reason"] = odd
    if on_exhausted == "finalize":
        return {"status": "unfinished", "finalized": True, "answer": _answer_in(final, answer_behind), **rest}
    status = _own_status(state)
    return {"status": "unfinished" if status in (None, "answered") else status, "answer": None, **rest}


def _odd_end(state, until):
    if until not in state:
        return f'its state has no "{until}"'
    if state[until] == False:  # noqa: E712, as conditions compare: 0 is false, None is not
        return None
    text = json.dumps(state[until], ensure_ascii=False, default=str)
    return f'"{until}" of its state is {text[:60]}, neither true nor false'


def _finished(state):
    answer = state.get("content")
    status = _own_status(state) or "answered"
    is_nothing = status == "answered" and (answer is None or (isinstance(answer, str) and not answer.strip()))
    ended = {"status": "unfinished" if is_nothing else status, "answer": answer}
    if is_nothing:
        ended["reason"] = "it ended without an answer"
    return {**ended, **{key: state[key] for key in ("function_results", "control") if key in state}}


def _own_status(state):
    return next((status for status in _STATUSES if status == state.get("status")), None)


def _answer_in(final, answer_behind):
    if not answer_behind or not isinstance(final, str) or answer_behind not in final:
        return final
    return final.partition(answer_behind)[2].strip()


def _fed_back(state, message, text):
    before = state if isinstance(state, dict) else {"finished": False, "query": None}
    results = before.get("function_results")
    failed = [{**call, "content": [text], "error": True} for call in _asked_for(message)]
    return {**before, "function_results": [*(results if isinstance(results, list) else []), *failed]}


def _asked_for(message):
    if not isinstance(message, dict):
        return [{"name": None, "arguments": None}]
    tool_calls = message.get("tool_calls")
    if not tool_calls:
        return [_name_and_arguments(message.get("function_call"))]
    calls = [call if isinstance(call, dict) else {} for call in tool_calls]
    return [{**({"id": call["id"]} if "id" in call else {}), **_name_and_arguments(call.get("function"))} for call in calls]


def _name_and_arguments(call):
    if not isinstance(call, dict):
        return {"name": None, "arguments": None}
    arguments = call.get("arguments")
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            pass
    return {"name": call.get("name"), "arguments": arguments}


@functools.lru_cache(maxsize=None)
def _tool_of(path):
    full = os.path.join(os.path.dirname(os.path.abspath(__file__)), path)
    spec = importlib.util.spec_from_file_location("_fed_back_" + os.path.splitext(os.path.basename(path))[0], full)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = [one for one in vars(module).values() if callable(one) and hasattr(one, "__tool")]
    own = [one for one in found if getattr(one, "__module__", None) == module.__name__]
    if len(own) != 1:
        raise TypeError(f"{path} has {len(own)} tools, not one")
    return own[0]
