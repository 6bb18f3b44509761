from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

from promptflow._stand_in import start_trace, trace


class ThreadPoolExecutorWithContext(ThreadPoolExecutor):
    """Threads that see the context variables of whoever gave them the work."""

    def submit(self, function, *arguments, **named):
        return super().submit(copy_context().run, function, *arguments, **named)


__all__ = ["ThreadPoolExecutorWithContext", "start_trace", "trace"]
