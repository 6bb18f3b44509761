"""Calls of a model by the wire format of OpenAI, with nothing installed but Python."""

import functools
import itertools
import json
import time
import urllib.error
import urllib.request
from urllib.parse import quote

from promptflow.exceptions import PromptflowException
from unroll_worker.model_calls import hear_answer, heard_stream

from ._functions import read_function_call, read_tool_choice, validate_functions, validate_tools
from .exception import ExceedMaxRetryTimes, FunctionCallNotSupportedInStreamMode, LLMError, WrappedOpenAIError

_REFERENCE = "[Error reference: https://platform.openai.com/docs/guides/error-codes/api-errors]"
_MOST_TRIES = 10
_CLASSES = {
    400: "BadRequestError",
    401: "AuthenticationError",
    403: "PermissionDeniedError",
    404: "NotFoundError",
    409: "ConflictError",
    422: "UnprocessableEntityError",
    429: "RateLimitError",
}


def ask(connection, path, body, called_from="aoai-tool"):
    """The answer to a request, as JSON; of one with `stream` its chunks as they come. @raises WrappedOpenAIError"""
    url, headers = _place(connection, path, body["model"])
    if "api-key" in headers:
        headers["ms-azure-ai-promptflow-called-from"] = called_from
    request = urllib.request.Request(url, json.dumps(body).encode("utf-8"), headers, method="POST")
    service = "azure_open_ai" if "api-key" in headers else "open_ai"
    reply = _reply(request)
    if body.get("stream") is True:
        return heard_stream(_chunks(reply), body["model"], service)
    with reply:
        answer = json.loads(reply.read())
    hear_answer(answer, body["model"], service)
    return answer


def _reply(request):
    """The open answer; what may pass is asked again, 422 three times at most."""
    unprocessable = 0
    for tries in itertools.count():
        try:
            return urllib.request.urlopen(request, timeout=600)
        except urllib.error.HTTPError as error:
            name = _CLASSES.get(error.code, "InternalServerError" if error.code >= 500 else "APIStatusError")
            text = error.read()
            told = f"OpenAI API hits {name}: Error code: {error.code}{_message(text)} {_REFERENCE}"
            unprocessable = unprocessable + 1 if error.code == 422 else 0
            if not _may_pass(error.code, text):
                raise WrappedOpenAIError(told, name) from None
            if tries == _MOST_TRIES or unprocessable == 3:
                raise ExceedMaxRetryTimes(f"Exceed max retry times. {told}", name) from None
            time.sleep(_seconds(error.headers.get("retry-after"), tries))
        except urllib.error.URLError as error:
            told = f"OpenAI API hits APIConnectionError: Connection error. {_REFERENCE}"
            raise WrappedOpenAIError(told, "APIConnectionError") from error


def _may_pass(status, text):
    return status >= 500 or status == 422 or (status == 429 and b"insufficient_quota" not in text)


def _seconds(told, tries):
    try:
        return float(told)
    except (TypeError, ValueError):
        return min(60, 2**tries)


def _chunks(reply):
    with reply:
        for line in reply:
            data = line.decode("utf-8").strip()
            if data.startswith("data:") and data != "data: [DONE]":
                yield json.loads(data[5:])


def _place(connection, path, model):
    headers = {"content-type": "application/json"}
    if type(connection).__name__ == "AzureOpenAIConnection":
        if not model:
            raise LLMError("OpenAI API hits exception: no deployment is named, and Azure OpenAI asks for one")
        base = connection.api_base.rstrip("/")
        headers["api-key"] = connection.api_key
        return f"{base}/openai/deployments/{quote(model)}/{path}?api-version={connection.api_version}", headers
    headers["authorization"] = f"Bearer {connection.api_key}"
    if type(connection).__name__ == "ServerlessConnection":
        base = connection.api_base if connection.api_base.endswith("/v1") else connection.api_base + "/v1"
        return f"{base.rstrip('/')}/{path}", headers
    if connection.organization:
        headers["openai-organization"] = connection.organization
    base = connection.base_url if connection.base_url not in (None, "", "_") else "https://api.openai.com/v1"
    return f"{base.rstrip('/')}/{path}", headers


def _message(text):
    try:
        body = json.loads(text)
    except ValueError:
        return ""
    inner = body.get("error") if isinstance(body, dict) else None
    told = inner.get("message") if isinstance(inner, dict) else body.get("message") if isinstance(body, dict) else None
    return f" - {told}" if isinstance(told, str) else ""


def told_as_llm_error(method):
    """A method whose own failures are told as those of the API, as in promptflow's tools."""

    @functools.wraps(method)
    def told(*arguments, **given):
        try:
            return method(*arguments, **given)
        except PromptflowException:
            raise
        except Exception as error:
            raise LLMError(f"OpenAI API hits exception: {type(error).__name__}: {error}") from error

    return told


def chat_body(model, messages, given, defaults, checks_tools=True):
    body = {"model": model, "messages": messages, **defaults, "stream": is_on(given.get("stream"))}
    for name in ("temperature", "top_p", "n"):
        if name in body and given.get(name) is not None:
            body[name] = given[name]
    for name in ("stop", "logit_bias", "response_format", "user"):
        if given.get(name):
            body[name] = given[name]
    for name in ("seed", "presence_penalty", "frequency_penalty"):
        if given.get(name) is not None:
            body[name] = given[name]
    most = given.get("max_tokens")
    if most is not None and str(most).lower() != "inf":
        body["max_tokens"] = int(most)
    if given.get("tools"):
        if checks_tools:
            validate_tools(given["tools"])
        choice = given.get("tool_choice")
        body.update(tools=given["tools"], tool_choice=read_tool_choice(choice) if checks_tools else choice)
    elif given.get("functions"):
        validate_functions(given["functions"])
        body.update(functions=given["functions"], function_call=read_function_call(given.get("function_call")))
    return body


_FIELDS = ("content", "refusal", "role", "annotations", "audio", "function_call", "tool_calls")


def chat_answer(reply, given):
    """The text; the whole message where functions or tools were given; of a stream its texts as they come."""
    if is_on(given.get("stream")):
        if given.get("functions") is not None:
            raise FunctionCallNotSupportedInStreamMode("Function calling has not been supported by stream mode yet.")
        return (chunk["choices"][0]["delta"].get("content") or "" for chunk in reply if chunk["choices"])
    message = reply["choices"][0]["message"]
    if not (given.get("functions") or given.get("tools")):
        return message.get("content")
    return {**dict.fromkeys(_FIELDS), **message}


def completion_answer(reply, given):
    if is_on(given.get("stream")):
        return (chunk["choices"][0]["text"] or "" for chunk in reply if chunk["choices"])
    return reply["choices"][0]["text"]


def is_on(value):
    return str(value).lower() == "true"


COMPLETION = {
    "suffix": None,
    "max_tokens": 16,
    "temperature": 1.0,
    "top_p": 1.0,
    "n": 1,
    "logprobs": None,
    "echo": False,
    "stop": None,
    "best_of": 1,
    "logit_bias": {},
    "user": "",
}


def completion_body(model, prompt, given):
    own = {name: given[name] for name in COMPLETION if given.get(name) is not None}
    for name in ("suffix", "logprobs", "stop"):
        own[name] = own.get(name) or None
    return {"model": model, "prompt": prompt, **COMPLETION, **own, "stream": is_on(given.get("stream"))}
