from promptflow._stand_in import ToolProvider, log_metric, tool, trace

__all__ = ["ToolProvider", "log_metric", "tool", "trace"]
