"""Prompties called from Python, as promptflow has them; their front matter is read by the engine."""

import asyncio
import json
import os
import re

from promptflow._connections import AzureOpenAIConnection, OpenAIConnection
from promptflow.core._errors import InvalidOutputKeyError, MissingRequiredInputError
from promptflow.exceptions import UserErrorException
from promptflow.tools._model import ask
from promptflow.tools.common import build_messages, render_jinja_template
from promptflow.tools.exception import LLMError

_IMAGE = re.compile(r"!\[\s*image\s*\]\(\{\{(\s*[^\s{}]+\s*)\}\}\)")
_IMAGE_TEXT = re.compile(r"^data:(image/[^;]+);(path|base64|url):\s*(.*)$", re.DOTALL)
_NO_ENDPOINT = (
    "OpenAI API hits exception: ValueError: Must provide one of the `base_url` or `azure_endpoint` arguments, "
    "or the `AZURE_OPENAI_ENDPOINT` environment variable"
)
_VARIABLE = re.compile(r"^\$\{env:(.*)\}$")


class Prompty:
    """A prompt that is called with its inputs as named arguments."""

    def __init__(self, path, model=None, **overrides):
        from unroll_worker import prompties

        read = prompties.find(path)
        if read is None:
            raise UserErrorException(f"{path} is no prompty in the folder of the flow.")
        self.path = os.path.abspath(path)
        self._read = _merged(read, {**overrides, "model": model or {}})
        self._name = self._read["name"]

    @classmethod
    def load(cls, source, **overrides):
        if not os.path.exists(source):
            raise UserErrorException(f"Source {os.path.abspath(source)} does not exist")
        if os.path.splitext(source)[1] != ".prompty":
            raise UserErrorException("Source must be a file with .prompty extension.")
        return cls(source, **overrides)

    def render(self, *arguments, **given):
        """The prompt as text; of a chat its messages, as Python writes them."""
        if arguments:
            raise UserErrorException("Prompty can only be rendered with keyword arguments.")
        return str(self._prompt(given))

    def estimate_token_count(self, *arguments, **given):
        """Tokens of the texts as the service counts them for gpt-3.5, and those that the answer may take."""
        if arguments:
            raise UserErrorException("Prompty can only be rendered with keyword arguments.")
        prompt = self._prompt(given)
        most = self._read["model"]["parameters"].get("max_tokens")
        if most is not None and not isinstance(most, int):
            raise UserErrorException("Max_token needs to be integer.")
        if most is not None and most <= 1:
            raise UserErrorException(f"{most} is less than the minimum of max_tokens.")
        return _count_tokens(prompt) + (most or 0)

    def __call__(self, *arguments, **given):
        if arguments:
            raise UserErrorException("Prompty can only be called with keyword arguments.")
        model = self._read["model"]
        parameters = {key: value for key, value in model["parameters"].items() if key != "deployment_name"}
        configuration = _fields(model["configuration"])
        named = configuration.get("azure_deployment") or configuration.get("model")
        body = {**parameters, "model": named or model["parameters"].get("deployment_name")}
        streams = body.pop("stream", False)
        if "tools" in body:
            body["tool_choice"] = body.get("tool_choice") or "auto"
        prompt = self._prompt(given)
        if model["api"] == "completion":
            reply = ask(_connection(configuration), "completions", {**body, "prompt": prompt}, "promptflow-core")
            answer = reply["choices"][0]["text"]
        else:
            reply = ask(_connection(configuration), "chat/completions", {**body, "messages": prompt}, "promptflow-core")
            answer = _first(reply["choices"][0])
        if model["response"] == "all":
            return _with_attributes(reply)
        if (body.get("response_format") or {}).get("type") == "json_object":
            return self._cut(json.loads(answer))
        return iter([answer]) if streams else answer

    def _prompt(self, given):
        """The messages of a chat, the text of a completion."""
        template = _IMAGE.sub(r"\n{{\1}}\n", self._read["template"])
        inputs = self._inputs(given)
        if self._read["model"]["api"] == "completion":
            return render_jinja_template(template, **inputs)
        images = [value for value in inputs.values() if hasattr(value, "to_base64")]
        return build_messages(template, images=images, _inputs_to_escape=list(inputs), **inputs)

    def _inputs(self, given):
        declared = self._read["inputs"]
        if not given and isinstance(self._read["sample"], dict):
            given = self._read["sample"]
        fallbacks = {
            name: (entry.get("default") if isinstance(entry, dict) else entry) for name, entry in declared.items()
        }
        missing = [name for name, fallback in fallbacks.items() if name not in given and fallback is None]
        if missing:
            raise MissingRequiredInputError(f"Missing required inputs: {missing}")
        folder = os.path.dirname(self.path)
        return {name: _with_image(given.get(name, fallback), folder) for name, fallback in fallbacks.items()}

    def _cut(self, answer):
        outputs = self._read["outputs"]
        for key in outputs:
            if key not in answer:
                raise InvalidOutputKeyError(f"Cannot find {key} in response {list(answer)}")
        return {key: answer[key] for key in outputs} if outputs else answer


class AsyncPrompty(Prompty):
    """A prompt whose call is awaited."""

    async def __call__(self, *arguments, **given):
        return await asyncio.to_thread(super().__call__, *arguments, **given)


def _count_tokens(prompt):
    """A message costs 3 tokens beside its texts and a name 1, an answer 3: the rule of OpenAI's cookbook."""
    try:
        import tiktoken
    except ImportError as error:
        raise ImportError("estimate_token_count needs tiktoken in the Python of this flow: pip install tiktoken") from error
    encoding = tiktoken.get_encoding("cl100k_base")
    if isinstance(prompt, str):
        return len(encoding.encode(prompt))
    texts = [text for message in prompt for value in message.values() for text in _texts(value)]
    names = sum("name" in message for message in prompt)
    return sum(len(encoding.encode(text)) for text in texts) + 3 * len(prompt) + names + 3


def _texts(value):
    if isinstance(value, str):
        return [value]
    return [part["text"] for part in value if "text" in part] if isinstance(value, list) else []


_MESSAGE = dict.fromkeys(("content", "refusal", "role", "annotations", "audio", "function_call", "tool_calls"))


def _first(choice):
    """The text of a choice; its message where it ends in calls of tools."""
    if choice.get("finish_reason") in ("tool_calls", "function_calls"):
        return {**_MESSAGE, **choice["message"]}
    return choice["message"].get("content")


class _Reply(dict):
    """Members are attributes too, as in the client library."""

    def __getattr__(self, name):
        if name in self:
            return self[name]
        raise AttributeError(name)

    def model_dump(self):
        return json.loads(json.dumps(self))


def _with_attributes(value):
    if isinstance(value, dict):
        return _Reply({key: _with_attributes(member) for key, member in value.items()})
    return [_with_attributes(item) for item in value] if isinstance(value, list) else value


def _merged(origin, over):
    """Mappings are merged member by member, anything else is replaced."""
    merged = dict(origin)
    for key, value in over.items():
        both = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = _merged(merged[key], value) if both else value
    return merged


def _fields(configuration):
    if not isinstance(configuration, dict):
        own = {key: value for key, value in vars(configuration).items() if key != "_type"}
        configuration = {"type": configuration._type.lower(), **own}
    return {key: _variable(value) for key, value in configuration.items() if value is not None}


def _variable(value):
    found = _VARIABLE.match(value) if isinstance(value, str) else None
    return os.environ.get(found.group(1), value) if found else value


def _connection(fields):
    named = fields.get("connection")
    if isinstance(named, str):
        from unroll_worker import prompties

        return prompties.connection(named)
    if named is not None:
        return named
    own = {key: value for key, value in fields.items() if key not in ("type", "azure_deployment", "model")}
    is_azure = "azure_endpoint" in own or str(fields.get("type", "azure")).startswith("azure")
    if not own:
        return (AzureOpenAIConnection if is_azure else OpenAIConnection).from_env()
    # A key of the environment is not sent to a server that the prompty names: it may be anyone's.
    if is_azure or "base_url" not in own:
        own.setdefault("api_key", os.environ.get("AZURE_OPENAI_API_KEY" if is_azure else "OPENAI_API_KEY"))
    if not own.get("api_key"):
        raise LLMError("OpenAI API hits exception: the model configuration has no api_key")
    if is_azure:
        endpoint = own.pop("azure_endpoint", os.environ.get("AZURE_OPENAI_ENDPOINT"))
        if not endpoint:
            raise LLMError(_NO_ENDPOINT)
        version = {"api_version": os.environ["OPENAI_API_VERSION"]} if "OPENAI_API_VERSION" in os.environ else {}
        return AzureOpenAIConnection(**{"api_base": endpoint, **version, **own})
    own.setdefault("base_url", os.environ.get("OPENAI_BASE_URL"))
    return OpenAIConnection(**own)


def _with_image(value, folder):
    found = _IMAGE_TEXT.match(value) if isinstance(value, str) else None
    if not found:
        return value
    from unroll_worker.images import read_image

    kind, form, content = found.groups()
    if form == "path":
        import base64

        with open(os.path.join(folder, content), "rb") as file:
            content = base64.b64encode(file.read()).decode("ascii")
    return value if form == "url" else read_image({"image": content, "mimeType": kind, "url": None})
