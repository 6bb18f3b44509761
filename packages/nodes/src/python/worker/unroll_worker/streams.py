"""Generators that nodes give: live for whoever takes their items first, and what they gave is taken down."""

import inspect

from .call import current_call


class Stream:
    """What is common to both kinds; `source` is the generator itself, `items` are those given so far, `live` is what code is given."""

    def __init__(self, source):
        self.source = source
        self.items = []
        self.live = self._pass_on()
        call = current_call.get()
        self._tally = None if call is None else call.tally

    def __repr__(self):
        return repr(self.source)

    def close(self):
        return self.source.close()

    def _count(self):
        """Calls of models that its node opened count for whoever takes its items."""
        call = current_call.get()
        if call is not None and self._tally is not None and self._tally is not call.tally:
            call.tally.absorb(self._tally)


class ItemStream(Stream):
    def __iter__(self):
        return self

    def __next__(self):
        return next(self.live)

    def _pass_on(self):
        try:
            for item in self.source:
                self.items.append(item)
                yield item
        finally:
            self._count()


class AsyncItemStream(Stream):
    def __aiter__(self):
        return self

    async def __anext__(self):
        return await self.live.__anext__()

    async def _pass_on(self):
        try:
            async for item in self.source:
                self.items.append(item)
                yield item
        finally:
            self._count()


class TracedIterator:
    """The answer of a model in pieces, by the name Prompt flow's class for it has."""

    def __init__(self, pieces):
        self._pieces = iter(pieces)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._pieces)

    def close(self):
        self._pieces = iter(())


def as_stream(value):
    if inspect.isgenerator(value) or isinstance(value, TracedIterator):
        return ItemStream(value)
    if inspect.isasyncgen(value):
        return AsyncItemStream(value)
    return value


def join(stream, on_text, most):
    """The texts of the items that are left; each is told as it comes."""
    joined = _Joined(on_text, most)
    for item in stream:
        joined.add(item)
    return joined.text()


async def join_async(stream, on_text, most):
    joined = _Joined(on_text, most)
    async for item in stream:
        joined.add(item)
    return joined.text()


# What an item takes beside its characters, however short its text is.
_ITEM_CHARACTERS = 64


class _Joined:
    """Texts up to a number of characters: a generator may have no end."""

    def __init__(self, on_text, most):
        self._on_text = on_text
        self._most = most
        self._left = most
        self._texts = []

    def add(self, item):
        text = str(item)
        self._left -= len(text) + _ITEM_CHARACTERS
        if self._left < 0:
            raise ValueError(f"the generator gave {len(self._texts)} items and no end, and {self._most >> 20} MB is the limit")
        self._texts.append(text)
        self._on_text(text, item)

    def text(self):
        return "".join(self._texts)


def is_iterator(value):
    """By its class: an object may answer for every attribute that it is asked for."""
    return hasattr(type(value), "__next__") and hasattr(type(value), "__iter__")


def is_async_iterator(value):
    return hasattr(type(value), "__anext__") and hasattr(type(value), "__aiter__")
