import re

from promptflow.core import tool


def plain(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text.lower()).strip()


@tool
def grade(answer: str, truth: str) -> dict:
    """大文字・小文字と句読点の違いを除いて、回答が正解と同じかどうか。"""
    return {"is_right": plain(answer) == plain(truth), "length": len(answer)}
