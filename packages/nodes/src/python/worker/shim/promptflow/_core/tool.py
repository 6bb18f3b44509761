from promptflow._stand_in import ToolProvider, tool
