"""Failures of the tools, by the names user code may catch."""


class ToolValidationError(Exception):
    def __init__(self, message="", **_more):
        super().__init__(message)
        self.message = message


class JinjaTemplateError(ToolValidationError):
    pass


class ChatAPIInvalidRole(ToolValidationError):
    pass


class ChatAPIFunctionRoleInvalidFormat(ToolValidationError):
    pass


class ChatAPIToolRoleInvalidFormat(ToolValidationError):
    pass


class LLMError(ToolValidationError):
    pass


class WrappedOpenAIError(LLMError):
    pass
