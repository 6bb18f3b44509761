"""Objects that JSON cannot carry stay here; the engine holds a handle and passes it to other nodes of the row."""

import base64
import json
import marshal
import pickle
import re
import threading

from .connections import is_connection
from .dates import read_date
from .images import is_image, read_image, write_image
from .key_order import keeps_order
from .prompt_result import PromptResult
from .streams import Stream, TracedIterator, as_stream, is_async_iterator, is_iterator

_PLAIN = (str, int, float, bool)
_PATH_STEPS = re.compile(r"(\w+)|(\['.*?'\])|(\[\d+\])")


class Handles:
    def __init__(self, mark):
        """`mark` is a key no data has; it tells a handle from a mapping of the user's."""
        self._mark = mark
        self._objects = {}
        self._encoder = json.JSONEncoder(default=self._keep)
        self._next = 1
        self._lock = threading.Lock()

    def encode(self, value):
        """JSON text of a value, with handles for what JSON cannot carry."""
        try:
            return self._encoder.encode(value)
        except RecursionError:
            raise ValueError("its output is nested deeper than 1000 levels") from None
        except (TypeError, ValueError):
            return json.dumps(self._keep(value))

    def shown(self, value, text):
        """How a value is recorded that holds what JSON cannot carry: as a whole, as Prompt flow does; None for any other."""
        if self._mark not in text or text.startswith(f'{{"{self._mark}"') or '"stream": true' in text:
            return None
        try:
            json.dumps(value, default=_write_known)
            return None
        except Exception:
            return _safe_text(repr, value)

    def original(self, value, text):
        """Keeps a value that its JSON does not give again, a tuple in it for instance: its number, None where none is kept."""
        if value is None or isinstance(value, (str, int, float)):
            return None if value is None or type(value) in _PLAIN else self.keep(value)
        return None if self.is_told(value, text) else self.keep(value)

    def is_told(self, value, text):
        """Whether the JSON of a list or a mapping gives it again."""
        if self._mark in text:
            # A handle of the whole is no copy; a stream is taken down where it is read through its handle.
            return text.startswith(f'{{"{self._mark}"') or '"stream": true' in text
        return type(value) in (dict, list) and _reads_back(value, text) and keeps_order(value, text)

    def is_in(self, text):
        """Whether a text holds what decoding does not make again."""
        return self._mark in text

    def is_mark(self, given):
        """Whether something stands for an object that is kept here."""
        return isinstance(given, dict) and self._mark in given and not _is_one_of_several(given[self._mark])

    def decode(self, text):
        if not self.is_in(text):
            return json.loads(text)
        same = {}
        return json.loads(text, object_hook=lambda mapping: self._restore(mapping, same))

    def pack(self, id):
        """The object as a text that any worker makes it of again."""
        return base64.b64encode(pickle.dumps(self.find(id))).decode("ascii")

    def drop(self, ids):
        for id in ids:
            self._objects.pop(id, None)

    def part(self, id, at):
        """What stands in an object where its JSON has it."""
        return _member(self.find(id), at)

    def whole(self, id, at):
        """The same as its node made it, and not as readers share it."""
        value = self.part(id, at)
        return value.source if isinstance(value, Stream) else value

    def equals(self, id, at, other):
        """Whether it is equal to a value that is given as JSON."""
        return bool(self.whole(id, at) == self.decode(other))

    def read(self, id, at, path):
        """Follows a property path as Prompt flow does: mapping key or attribute, ['key'], [0]."""
        value = self.part(id, at)
        for word, key, index in _PATH_STEPS.findall(path):
            if word:
                value = value[word] if isinstance(value, dict) else getattr(value, word)
            elif key:
                value = value[key[2:-2]]
            else:
                value = value[int(index[1:-1])]
        return value

    def _keep(self, value):
        if is_image(value):
            return {self._mark: write_image(value)}
        value = as_stream(value)
        id = self.keep(value)
        shown = value.name if is_connection(value) else _safe_text(repr, value)
        kept = {"id": id, "repr": shown, "type": type(_given(value)).__name__}
        if isinstance(value, Stream):
            kept["stream"] = True
        elif is_iterator(value) or is_async_iterator(value):
            kept["iterates"] = True
        if type(value).__str__ is not object.__str__:
            kept["str"] = _safe_text(str, value)
        return {self._mark: kept}

    def keep(self, value):
        """Its number."""
        with self._lock:
            id = self._next
            self._next += 1
            self._objects[id] = value
        return id

    def _restore(self, mapping, same):
        """`same`: by their numbers, lists and mappings that stand in several places."""
        if len(mapping) == 1 and self._mark in mapping:
            kept = mapping[self._mark]
            if _is_one_of_several(kept):
                return same.setdefault(kept["same"], kept["value"])
            if isinstance(kept, dict) and "of" in kept:
                return _member(self.find(kept["of"]), kept["path"])
            found = _read_written(kept) if isinstance(kept, dict) else self.find(kept)
            return _given(found)
        return mapping

    def find(self, id):
        try:
            return self._objects[id]
        except KeyError:
            raise LostObject(
                "a Python object of another node is no longer there: the worker that held it was replaced"
            ) from None


def _is_one_of_several(kept):
    return isinstance(kept, dict) and "same" in kept


def _given(value):
    """What code is given of what is kept."""
    return value.live if isinstance(value, Stream) else value


def _member(value, path):
    """What stands in an object where its JSON has it."""
    for place in path:
        if isinstance(value, dict) and place not in value:
            place = next(key for key in value if json.dumps({key: 0}) == json.dumps({place: 0}))
        value = value[place]
    return value


def _write_known(value):
    if is_image(value) or is_connection(value):
        return None
    raise TypeError


def _reads_back(value, text):
    """Whether JSON gives a value again, and all that is in it of the very class: `marshal` takes no object of any other."""
    try:
        return json.loads(text) == marshal.loads(marshal.dumps(value))
    except Exception:
        return False


def _read_written(kept):
    if "packed" in kept:
        return pickle.loads(base64.b64decode(kept["packed"]))
    if "prompt" in kept:
        return PromptResult(kept["prompt"])
    if "pieces" in kept:
        return TracedIterator(kept["pieces"])
    return read_date(kept["date"]) if "date" in kept else read_image(kept)


class LostObject(Exception):
    pass


def _safe_text(make, value):
    try:
        return make(value)
    except Exception as error:
        return f"<{type(value).__name__} whose {make.__name__} raises {type(error).__name__}>"
