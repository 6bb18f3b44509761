"""Dates that were written in a flow file."""

import datetime
import json

_LITERAL_MARK = "\0literal"


def read_date(text):
    if "T" not in text:
        return datetime.date.fromisoformat(text)
    return datetime.datetime.fromisoformat(text)


def with_dates(value):
    """The literal, with dates where marks stand, and whether there are any."""
    if isinstance(value, dict):
        if len(value) == 1 and _LITERAL_MARK in value:
            return read_date(value[_LITERAL_MARK]["date"]), True
        read = {key: with_dates(member) for key, member in value.items()}
        return {key: member for key, (member, _) in read.items()}, any(has for _, has in read.values())
    if isinstance(value, list):
        items = [with_dates(item) for item in value]
        return [item for item, _ in items], any(has for _, has in items)
    return value, False


def as_recorded(value):
    """The literal with the texts of its dates, which JSON cannot carry."""
    return json.loads(json.dumps(value, default=str))
