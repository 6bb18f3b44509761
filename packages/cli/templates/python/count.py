import re
from collections import Counter

from promptflow.core import tool


@tool
def count(text: str, at_most: int = 5) -> dict:
    """How often the commonest words occur, commonest first."""
    words = re.findall(r"\w+", text.lower())
    return dict(Counter(words).most_common(at_most))
