from promptflow.core import tool


@tool
def split(text: str, parts: int) -> list:
    return text.split(maxsplit=parts - 1)
