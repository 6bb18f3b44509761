from promptflow.core import tool


@tool
def tidy(answer: str) -> str:
    """回答を1行にまとめます。"""
    return " ".join(answer.split())
