"""Failures of the tools, by the names user code may catch."""


from promptflow.exceptions import UserErrorException


class ToolValidationError(UserErrorException):
    pass


class JinjaTemplateError(ToolValidationError):
    pass


class ChatAPIInvalidRole(ToolValidationError):
    pass


class ChatAPIFunctionRoleInvalidFormat(ToolValidationError):
    pass


class ChatAPIToolRoleInvalidFormat(ToolValidationError):
    pass


class ChatAPIInvalidFunctions(ToolValidationError):
    pass


class ChatAPIInvalidTools(ToolValidationError):
    pass


class FunctionCallNotSupportedInStreamMode(ToolValidationError):
    pass


class LLMError(UserErrorException):
    pass


class WrappedOpenAIError(UserErrorException):
    """What the service refused; `name` is the class of its own client."""

    def __init__(self, message, name):
        super().__init__(message)
        self.name = name

    @property
    def error_codes(self):
        return ["UserError", "OpenAIError", self.name]


class ExceedMaxRetryTimes(WrappedOpenAIError):
    pass
