"""The prompties of the flow, as the engine has read them, with the connections that they name."""

import os

from .connections import make_connection

_files = {}
_request = {"connections": {}, "connectionNames": []}


def register(request):
    for path, read in request.get("prompties", {}).items():
        _files[os.path.realpath(path)] = read
    _request["connections"].update(request["connections"])
    _request["connectionNames"] = request["connectionNames"]


def find(path):
    """`{name, model, inputs, outputs, sample, template}` of a file; None where the engine has not seen it."""
    return _files.get(os.path.realpath(path))


def connection(name):
    from promptflow.connections import AzureOpenAIConnection, OpenAIConnection, ServerlessConnection

    return make_connection("prompty", "connection", name, [AzureOpenAIConnection, OpenAIConnection, ServerlessConnection], _request)
