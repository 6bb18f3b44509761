"""Lists and mappings that code gives on as it was given them: one object for all who read either, as in Prompt flow."""

from itertools import chain, islice

_LEVELS = 3
# Members of a level that are looked at: values may be large, and are looked at in each call.
_MOST_MEMBERS = 1000


def given_on(inputs, value):
    """Names of inputs that have a list or a mapping in common with a value, near the top of both."""
    lists = {name: given for name, given in inputs.items() if isinstance(given, (list, dict))}
    if not lists or not isinstance(value, (list, dict, tuple)):
        return []
    inside = _identities(value)
    return [name for name, given in lists.items() if not inside.isdisjoint(_identities(given))]


def _identities(value):
    found = set()
    level = [value]
    for _ in range(_LEVELS):
        found.update(id(one) for one in level if not isinstance(one, tuple))
        members = islice(chain.from_iterable(map(_members, level)), _MOST_MEMBERS)
        level = [one for one in members if isinstance(one, (list, dict, tuple))]
    return found


def _members(value):
    return dict.values(value) if isinstance(value, dict) else value
