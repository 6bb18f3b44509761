"""Chat and completion of Azure OpenAI, for code that calls them itself."""

from promptflow._stand_in import ToolProvider

from ._model import COMPLETION, ask, chat_answer, chat_body, completion_answer, completion_body, told_as_llm_error
from .common import build_messages, convert_to_chat_list, render_jinja_template

_CHAT = (
    "temperature top_p n stream stop max_tokens presence_penalty frequency_penalty logit_bias user function_call "
    "functions tool_choice tools response_format seed"
).split()


class AzureOpenAI(ToolProvider):
    def __init__(self, connection):
        super().__init__()
        self.connection = connection

    @told_as_llm_error
    def chat(self, prompt, deployment_name, **kwargs):
        given = {name: kwargs.pop(name) for name in _CHAT if name in kwargs}
        messages = build_messages(prompt, **convert_to_chat_list(kwargs))
        body = chat_body(deployment_name, messages, given, {"temperature": 1.0, "top_p": 1.0, "n": 1})
        return chat_answer(ask(self.connection, "chat/completions", body), given)

    @told_as_llm_error
    def completion(self, prompt, deployment_name, **kwargs):
        names = [*COMPLETION, "presence_penalty", "frequency_penalty", "stream"]
        given = {name: kwargs.pop(name) for name in names if name in kwargs}
        body = completion_body(deployment_name, render_jinja_template(prompt, **kwargs), given)
        for name in ("presence_penalty", "frequency_penalty"):
            if given.get(name) is not None:
                body[name] = given[name]
        return completion_answer(ask(self.connection, "completions", body), given)


def chat(connection, prompt, deployment_name, **kwargs):
    return AzureOpenAI(connection).chat(prompt=prompt, deployment_name=deployment_name, **kwargs)


def completion(connection, prompt, deployment_name, **kwargs):
    return AzureOpenAI(connection).completion(prompt=prompt, deployment_name=deployment_name, **kwargs)
