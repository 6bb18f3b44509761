"""Lists and mappings that stand in several places of what code is given and gives: JSON would make as many of each."""

from itertools import islice

_LEVELS = 3
# Members of a level that are looked at: values may be large, and are looked at in each call.
_MOST_MEMBERS = 1000
_MOST_MOVED = 200


def places_in(inputs):
    """Where lists and mappings stand in inputs, by what they are."""
    found = {}
    for name, given in inputs.items():
        for path, one in _containers(given):
            found.setdefault(id(one), {"input": name, "path": path})
    return found


def shared_places(inputs, value):
    """What stands in a value, and also in an input, or earlier in the value."""
    if not isinstance(value, (list, dict, tuple)):
        return []
    return list(_shared(value, places_in(inputs)))


def moved_places(before, changed):
    """Where that is now, in inputs that code changed, which stood in inputs before; none of more than can be told with every call."""
    found = [
        {"at": {"input": name, "path": path}, "from": before[id(one)]}
        for name, value in changed.items()
        for path, one in _containers(value)
        if id(one) in before
    ]
    return found if len(found) <= _MOST_MOVED else []


def _shared(value, known):
    found = []
    for path, one in _containers(value):
        # What stands in something that is shared is shared with it.
        if any(path[: len(above)] == above for above in found):
            continue
        elsewhere = known.get(id(one))
        if elsewhere is None:
            known[id(one)] = {"path": path}
            continue
        found.append(path)
        yield {"at": {"path": path}, "from": elsewhere}


def _containers(value):
    """Lists and mappings near the top of a value, itself among them, each with its place as JSON has it."""
    level = [([], value)] if isinstance(value, (list, dict, tuple)) else []
    for _ in range(_LEVELS):
        yield from ((path, one) for path, one in level if not isinstance(one, tuple))
        level = list(islice((found for path, one in level for found in _members(path, one)), _MOST_MEMBERS))


def _members(path, one):
    entries = dict.items(one) if isinstance(one, dict) else enumerate(one)
    for key, member in entries:
        if isinstance(member, (list, dict, tuple)) and type(key) in (str, int):
            yield [*path, key], member
