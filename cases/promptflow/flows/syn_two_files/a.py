def f(q: str) -> str:
    return q
