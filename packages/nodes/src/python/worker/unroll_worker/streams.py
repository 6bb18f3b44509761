"""Generators that nodes give: live for whoever takes their items first, and what they gave is taken down."""

import inspect


class Stream:
    """What is common to both kinds; `items` are those given so far, `live` is the generator that code is given."""

    def __init__(self, source):
        self._source = source
        self.items = []
        self.live = self._pass_on()

    def close(self):
        return self._source.close()


class ItemStream(Stream):
    def __iter__(self):
        return self

    def __next__(self):
        return next(self.live)

    def _pass_on(self):
        for item in self._source:
            self.items.append(item)
            yield item


class AsyncItemStream(Stream):
    def __aiter__(self):
        return self

    async def __anext__(self):
        return await self.live.__anext__()

    async def _pass_on(self):
        async for item in self._source:
            self.items.append(item)
            yield item


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


def join(stream, on_text):
    """The texts of the items that are left; each is told as it comes."""
    texts = []
    for item in stream:
        texts.append(str(item))
        on_text(texts[-1], item)
    return "".join(texts)


async def join_async(stream, on_text):
    texts = []
    async for item in stream:
        texts.append(str(item))
        on_text(texts[-1], item)
    return "".join(texts)


def is_iterator(value):
    return hasattr(value, "__next__") and hasattr(value, "__iter__")


def is_async_iterator(value):
    return hasattr(value, "__anext__") and hasattr(value, "__aiter__")
