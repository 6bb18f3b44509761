from promptflow._stand_in import ToolProvider, log_metric, tool, trace

# Parts of it that stand in for Azure's alone lie in a folder of their own.
__path__ = __import__("pkgutil").extend_path(__path__, __name__)

__all__ = ["ToolProvider", "log_metric", "tool", "trace"]
