"""The exceptions tools raise to say whose fault it is; the engine tells them as they are."""

from enum import Enum


class ErrorTarget(str, Enum):
    EXECUTOR = "Executor"
    TOOL = "Tool"
    UNKNOWN = "Unknown"


class PromptflowException(Exception):
    def __init__(self, message="", message_format="", target=ErrorTarget.UNKNOWN, module=None, **parameters):
        self._text = message or message_format.format(**parameters)
        self.target = target
        self.module = module
        self.inner_exception = parameters.get("error")
        super().__init__(self._text)

    @property
    def message(self):
        return self._text

    def __str__(self):
        return self._text


class UserErrorException(PromptflowException):
    pass


class SystemErrorException(PromptflowException):
    pass


class ValidationException(UserErrorException):
    pass
