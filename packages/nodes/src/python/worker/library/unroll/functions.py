"""The function node of an agent loop: one step from a state and the agent's message to the next state."""

import contextvars
import inspect
import json
import sys


def function_node(*functions):
    """Makes a node of the functions an agent may call: a dict by name, a list, or the functions themselves.

    The node takes the state as `state` or `inputs` and the agent's message as `message` or `agent_message`.
    """
    by_name = _by_name(functions)

    def functions_node(**given):
        state = _first(given, "state", "inputs")
        message = _first(given, "message", "agent_message")
        return _step(by_name, state, message)

    functions_node.__module__ = sys._getframe(1).f_globals.get("__name__", __name__)
    setattr(functions_node, "__tool", None)
    return functions_node


def _by_name(functions):
    if len(functions) == 1 and isinstance(functions[0], dict):
        return dict(functions[0])
    if len(functions) == 1 and not callable(functions[0]):
        functions = functions[0]
    return {function.__name__: function for function in functions}


def _first(given, *names):
    for name in names:
        if name in given:
            return given[name]
    raise TypeError(f"function_node() missing 1 required argument: '{names[0]}'")


def _step(functions, state, message):
    if message is None:
        return {"finished": True, "content": state["content"]}
    calls = _calls(message)
    if not calls:
        return {"finished": True, "content": message.get("content", "")}
    records = _run_all(functions, calls)
    return {
        "finished": False,
        "query": state["query"],
        "function_results": [*state["function_results"], *records],
    }


def _calls(message):
    """(id, name, arguments text) of each call asked for; tools before the older single function_call."""
    tool_calls = message.get("tool_calls")
    if tool_calls:
        return [(call.get("id"), call["function"]["name"], call["function"]["arguments"]) for call in tool_calls]
    call = message.get("function_call")
    return [] if call is None else [(None, call["name"], call["arguments"])]


def _run_all(functions, calls):
    if len(calls) == 1:
        return [_run(functions, *calls[0])]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(len(calls)) as threads:
        started = [threads.submit(contextvars.copy_context().run, _run, functions, *call) for call in calls]
        return [call.result() for call in started]


def _run(functions, id, name, arguments_text):
    arguments = json.loads(arguments_text)
    function = functions[name]
    if not isinstance(arguments, dict):
        arguments = {str(argument): argument for argument in arguments}
    content = function(**arguments)
    if inspect.isawaitable(content):
        import asyncio

        content = asyncio.run(_value_of(content))
    record = {"name": name, "arguments": arguments, "content": [content]}
    return record if id is None else {"id": id, **record}


async def _value_of(awaitable):
    return await awaitable
