from promptflow.core import tool


@tool
def shout(q: str, times: int) -> str:
    return q.upper() * times
