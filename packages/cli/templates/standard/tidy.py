from promptflow.core import tool


@tool
def tidy(answer: str) -> str:
    """The answer on one line."""
    return " ".join(answer.split())
