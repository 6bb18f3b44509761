from pathlib import Path

from search import JAPANESE_RUN, open_index
from unroll import function_node

KNOWLEDGE = Path(__file__).parent / "knowledge"


def faq_search(query: str) -> str:
    return search("faq.jsonl", query)


def guideline_search(query: str) -> str:
    return search("guideline.jsonl", query)


def search(file: str, query: str) -> str:
    """The best entries as the model reads them, in the language of the query: `[id] title`, then the text."""
    hits = open_index(KNOWLEDGE / file).search(query, top_k=3)
    if not hits:
        return "該当する項目はありません。 (No entry matches.)"
    title, text = ("title", "text") if JAPANESE_RUN.search(query) else ("title_en", "text_en")
    return "\n\n".join(f"[{hit['id']}] {hit[title]}\n{hit[text]}" for hit in hits)


# Runs the search that the model asked for, or hands its answer on.
function = function_node([faq_search, guideline_search])
