"""The functions of an assistant definition, by their names."""


class ResolvedAssistantTool:
    def __init__(self, name, openai_definition, func):
        self.name = name
        self.openai_definition = openai_definition
        self.func = func


class AssistantToolInvoker:
    def __init__(self, tools):
        self._assistant_tools = tools

    def invoke_tool(self, func_name, kwargs):
        return self._assistant_tools[func_name].func(**kwargs)

    def to_openai_tools(self):
        return [tool.openai_definition for tool in self._assistant_tools.values()]
