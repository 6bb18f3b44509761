"""Chat and completion of OpenAI, for code that calls them itself."""

from promptflow._stand_in import ToolProvider

from ._model import COMPLETION, ask, chat_answer, chat_body, completion_answer, completion_body, told_as_llm_error
from .aoai import _CHAT
from .common import build_messages, render_jinja_template


class OpenAI(ToolProvider):
    def __init__(self, connection):
        super().__init__()
        self.connection = connection

    @told_as_llm_error
    def chat(self, prompt, model="", **kwargs):
        given = {name: kwargs.pop(name) for name in _CHAT if name in kwargs and name != "n"}
        messages = build_messages(prompt, **kwargs)
        body = chat_body(model, messages, given, {"temperature": 1.0, "top_p": 1.0}, checks_tools=False)
        return chat_answer(ask(self.connection, "chat/completions", body), given)

    @told_as_llm_error
    def completion(self, prompt, model="text-davinci-003", **kwargs):
        names = [*COMPLETION, "presence_penalty", "frequency_penalty", "stream"]
        given = {name: kwargs.pop(name) for name in names if name in kwargs}
        body = completion_body(model, render_jinja_template(prompt, **kwargs), given)
        body.update({name: given.get(name) for name in ("presence_penalty", "frequency_penalty")})
        return completion_answer(ask(self.connection, "completions", body), given)


def chat(connection, prompt, model="", **kwargs):
    return OpenAI(connection).chat(prompt=prompt, model=model, **kwargs)


def completion(connection, prompt, model="text-davinci-003", **kwargs):
    return OpenAI(connection).completion(prompt=prompt, model=model, **kwargs)
