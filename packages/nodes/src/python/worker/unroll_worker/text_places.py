"""Places in a text: lines and columns as Python tells them, as places that JavaScript counts."""

import re


def _lines(text):
    starts = [0]
    starts.extend(match.end() for match in re.finditer(r"\r\n|\r|\n", text))
    return starts


def index(text, line, column):
    starts = _lines(text)
    return min(starts[min(line, len(starts)) - 1] + column, len(text))


def bytes_column(text, line, column):
    """Characters before a column that is counted in bytes of UTF-8."""
    start = index(text, line, 0)
    return len(text[start : start + column].encode("utf-8", "surrogatepass")[:column].decode("utf-8", "ignore"))


def offset(text, line, column):
    return units(text[: index(text, line, column)])


def start_of(text, node):
    """Where a part of a file of Python code begins."""
    return offset(text, node.lineno, bytes_column(text, node.lineno, node.col_offset))


def units(text):
    """Length as JavaScript counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
