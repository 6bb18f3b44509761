"""Lists and mappings that stand in several places of what code is given and gives: JSON would make as many of each."""

from itertools import chain, compress, islice, tee

_LEVELS = 3
# Members of a level that are looked at: values may be large, and are looked at in each call.
_MOST_MEMBERS = 1000
_KINDS = frozenset((list, dict, tuple))
# Places that are told, and recorded, with a call; of more none is.
_MOST_TOLD = 200


def places_in(inputs):
    """Where lists and mappings stand in inputs, by what they are: while one is kept here, no other has its number."""
    found = {}
    for name, given in inputs.items():
        for path, one in _containers(given):
            found.setdefault(id(one), (name, path, one))
    return found


def places_as_given(given, inputs):
    """The same for `near_top` of inputs as they were given, of which code may have changed some since. `inputs`: others, alike."""
    found = {}
    for name, kept in given.items():
        for (path, _alike), one in zip(_containers(inputs[name]), kept):
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


def near_top(value):
    """Lists, mappings and tuples of JSON near the top of a value, level by level, in the order of `_containers`: without places at less cost."""
    level = [value] if isinstance(value, (list, dict, tuple)) else []
    yield level
    for _ in range(_LEVELS - 1):
        members, kinds = tee(chain.from_iterable(map(_members_of, level)))
        level = list(islice(compress(members, map(_KINDS.__contains__, map(type, kinds))), _MOST_MEMBERS))
        yield level


def _members_of(one):
    return dict.values(one) if isinstance(one, dict) else one


def _holds_one_twice(value):
    """Most values hold none."""
    seen = set()
    for level in near_top(value):
        found = [one for one in level if type(one) is not tuple]
        most = len(seen) + len(found)
        seen.update(map(id, found))
        if len(seen) < most:
            return True
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
