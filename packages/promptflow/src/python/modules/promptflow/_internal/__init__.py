from promptflow._stand_in import ToolProvider, log_metric, tool
