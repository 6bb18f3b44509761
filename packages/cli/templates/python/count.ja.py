import re
from collections import Counter

from promptflow.core import tool


@tool
def count(text: str, at_most: int = 5) -> dict:
    """よく出る語とその回数。多い順に並びます。"""
    # 漢字の連なり、カタカナの連なり、英数字の語を数えます。
    words = re.findall(r"[\u4e00-\u9fff々]+|[ァ-ヴー]+|[a-z0-9]+", text.lower())
    return dict(Counter(words).most_common(at_most))
