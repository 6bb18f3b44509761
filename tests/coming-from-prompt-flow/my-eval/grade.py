import re

from promptflow.core import tool


def plain(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text.lower()).strip()


@tool
def grade(answer: str, truth: str) -> dict:
    """Whether the answer says what the truth says, but for capitals and punctuation."""
    return {"is_right": plain(answer) == plain(truth), "length": len(answer)}
