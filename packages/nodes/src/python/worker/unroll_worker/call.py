"""One call of a node: what it was given, and what it printed and measured while it ran."""

import contextvars
import io
import json

current_call = contextvars.ContextVar("unroll_call", default=None)


class Call:
    __slots__ = ("id", "node", "inputs", "logs", "metrics", "change", "shared")

    def __init__(self, id, node, inputs, shared=None):
        """`shared` is the text of inputs that others read too."""
        self.id = id
        self.node = node
        self.inputs = inputs
        self.logs = None
        self.metrics = None
        self.change = None
        self.shared = shared

    def changed_inputs(self):
        """Lists and mappings among the inputs that are no longer as they were given."""
        if self.shared is None or not any(isinstance(value, (list, dict)) for value in self.inputs.values()):
            return {}
        given = json.loads(self.shared)
        return {name: value for name, value in self.inputs.items() if value != given[name]}

    def print(self, stream, text):
        if self.logs is None:
            self.logs = {"stdout": [], "stderr": []}
        self.logs[stream].append(text)

    def log_metric(self, key, value):
        if self.metrics is None:
            self.metrics = {}
        self.metrics[key] = value


class CallStream(io.TextIOBase):
    """Stands for sys.stdout or sys.stderr: what is written goes to the call that is running where it is written."""

    encoding = "utf-8"
    errors = "replace"

    def __init__(self, name, real, only_call):
        self._name = name
        self._real = real
        self._only_call = only_call

    @property
    def buffer(self):
        return self._real.buffer

    def fileno(self):
        return self._real.fileno()

    def isatty(self):
        return False

    def writable(self):
        return True

    def write(self, text):
        call = current_call.get() or self._only_call()
        if call is None:
            return self._real.write(text)
        call.print(self._name, str(text))
        return len(text)

    def flush(self):
        self._real.flush()

    def reconfigure(self, **_options):
        """Text is kept as text here: there is no encoding to change."""
