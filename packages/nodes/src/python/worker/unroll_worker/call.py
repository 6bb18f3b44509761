"""One call of a node: what it was given, and what it printed and measured while it ran."""

import contextvars
import io
import os

from .tally import Tally

current_call = contextvars.ContextVar("unroll_call", default=None)


# So many characters of what a call prints are kept.
_MOST_PRINTED = 10_000_000


class Call:
    __slots__ = ("id", "node", "inputs", "logs", "metrics", "given", "printed", "left_out", "trace", "tally")

    def __init__(self, id, node, inputs, given=None, trace=""):
        """`given` tells inputs that others read too as they were, `trace` the headers of W3C Trace Context as JSON."""
        self.id = id
        self.node = node
        self.inputs = inputs
        self.logs = None
        self.printed = 0
        self.left_out = {}
        self.metrics = None
        self.given = given
        self.trace = trace
        self.tally = Tally()

    def print(self, stream, text):
        if self.logs is None:
            self.logs = {"stdout": [], "stderr": []}
        # Nothing more of either once something was left out: what comes later would hide where the text was cut.
        room = 0 if self.left_out else _MOST_PRINTED - self.printed
        kept = between_words(text, room)
        self.printed += len(kept)
        if kept:
            self.logs[stream].append(kept)
        if len(kept) < len(text):
            self.left_out[stream] = self.left_out.get(stream, 0) + len(text) - len(kept)

    def printed_texts(self):
        """What was printed, by stream, with lines that tell what is left out."""
        texts = {name: "".join(parts) for name, parts in self.logs.items()}
        for name, left_out in self.left_out.items():
            texts[name] += f"\n… {left_out} more characters were printed\n"
        return texts

    def log_metric(self, key, value):
        if self.metrics is None:
            self.metrics = {}
        self.metrics[key] = value


def between_words(text, most):
    """The first `most` characters of a text, without the begin of a word: half a key would not be known as one."""
    if len(text) <= most:
        return text
    longest_key = 1000
    end = most
    while end > 0 and most - end < longest_key and _is_of_key(text[end - 1]) and _is_of_key(text[end]):
        end -= 1
    return text[: end if most - end < longest_key else most]


def _is_of_key(sign):
    return "!" <= sign <= "~"


_is_child = False


def _note_child():
    global _is_child
    _is_child = True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note_child)


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
        call = None if _is_child else current_call.get() or self._only_call()
        if call is None:
            return self._real.write(text)
        call.print(self._name, str(text))
        return len(text)

    def flush(self):
        self._real.flush()

    def reconfigure(self, **_options):
        """Text is kept as text here: there is no encoding to change."""
