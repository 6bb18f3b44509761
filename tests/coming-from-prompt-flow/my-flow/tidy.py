import os

from promptflow.core import tool


@tool
def tidy(answer: str) -> str:
    return " ".join(answer.split()) + os.environ["MARK"]
