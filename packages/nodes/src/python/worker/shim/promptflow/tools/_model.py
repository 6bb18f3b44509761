"""Calls of a model by the wire format of OpenAI, with nothing installed but Python."""

import json
import urllib.error
import urllib.request
from urllib.parse import quote

from .exception import WrappedOpenAIError

_REFERENCE = "[Error reference: https://platform.openai.com/docs/guides/error-codes/api-errors]"
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
    """The answer to a request, as JSON. @raises WrappedOpenAIError"""
    url, headers = _place(connection, path, body["model"])
    if "api-key" in headers:
        headers["ms-azure-ai-promptflow-called-from"] = called_from
    request = urllib.request.Request(url, json.dumps(body).encode("utf-8"), headers, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=600) as response:
            return json.loads(response.read())
    except urllib.error.HTTPError as error:
        name = _CLASSES.get(error.code, "InternalServerError" if error.code >= 500 else "APIStatusError")
        told = f"OpenAI API hits {name}: Error code: {error.code}{_message(error.read())} {_REFERENCE}"
        raise WrappedOpenAIError(told) from None
    except urllib.error.URLError as error:
        raise WrappedOpenAIError(f"OpenAI API hits APIConnectionError: Connection error. {_REFERENCE}") from error


def _place(connection, path, model):
    headers = {"content-type": "application/json"}
    if type(connection).__name__ == "AzureOpenAIConnection":
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


def chat_body(model, messages, given, defaults):
    body = {"model": model, "messages": messages, **defaults, "stream": False}
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
        body["tools"] = given["tools"]
        body["tool_choice"] = given.get("tool_choice")
    elif given.get("functions"):
        body["functions"] = given["functions"]
        body["function_call"] = given.get("function_call") or "auto"
    return body


def chat_answer(reply, given):
    message = reply["choices"][0]["message"]
    return message if given.get("functions") or given.get("tools") else message.get("content")


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
    return {"model": model, "prompt": prompt, **COMPLETION, **own, "stream": False}
