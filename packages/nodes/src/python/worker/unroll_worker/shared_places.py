"""Lists and mappings that stand in several places of what code is given and gives: JSON would make as many of each."""

from itertools import chain, islice

_LEVELS = 3
# Members of a level that are looked at: values may be large, and are looked at in each call.
_MOST_MEMBERS = 1000
# Places that are told, and recorded, with a call; of more none is.
_MOST_TOLD = 200


def places_in(inputs):
    """Where lists and mappings stand in inputs, by what they are: while one is kept here, no other has its number."""
    found = {}
    for name, given in inputs.items():
        for path, one in _containers(given):
            found.setdefault(id(one), (name, path, one))
    return found


def _told(place):
    name, path, _one = place
    return {"path": path} if name is None else {"input": name, "path": path}


def shared_places(inputs, value, in_common):
    """What stands in a value, and also in an input, or earlier in the value. `in_common`: names of inputs of which that is so."""
    if not isinstance(value, (list, dict, tuple)) or not (in_common or _holds_one_twice(value)):
        return []
    found = list(islice(_shared(value, places_in({name: inputs[name] for name in in_common})), _MOST_TOLD + 1))
    return found if len(found) <= _MOST_TOLD else []


def _holds_one_twice(value):
    """As few look as `_containers`, without places: most values hold none."""
    seen = set()
    level = [value]
    for _ in range(_LEVELS):
        for one in level:
            if not isinstance(one, tuple):
                if id(one) in seen:
                    return True
                seen.add(id(one))
        members = (dict.values(one) if isinstance(one, dict) else one for one in level)
        found = (one for one in chain.from_iterable(members) if isinstance(one, (list, dict, tuple)))
        level = list(islice(found, _MOST_MEMBERS))
    return False


def moved_places(before, changed):
    """Where that is now, in inputs that code changed, which stood in inputs before, and what is new and stands there twice."""
    found = list(islice(_moved(before, changed), _MOST_TOLD + 1))
    return found if len(found) <= _MOST_TOLD else []


def _moved(before, changed):
    new = {}
    for name, value in changed.items():
        for path, one in _containers(value):
            known = before.get(id(one)) or new.get(id(one))
            if known is None:
                new[id(one)] = (None, [name, *path], one)
            else:
                yield {"at": {"input": name, "path": path}, "from": _told(known)}


def _shared(value, known):
    found = set()
    for path, one in _containers(value):
        # What stands in something that is shared is shared with it.
        if found and any(tuple(path[:levels]) in found for levels in range(len(path))):
            continue
        elsewhere = known.get(id(one))
        if elsewhere is None:
            known[id(one)] = (None, path, one)
            continue
        found.add(tuple(path))
        yield {"at": {"path": path}, "from": _told(elsewhere)}


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
