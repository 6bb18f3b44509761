from pathlib import Path

from search import JAPANESE_RUN, open_index
from unroll import function_node

KNOWLEDGE = Path(__file__).parent / "knowledge"


def faq_search(query: str) -> str:
    return search("faq.jsonl", query)


def guideline_search(query: str) -> str:
    return search("guideline.jsonl", query)


def search(file: str, query: str) -> str:
    """The best entries as the model reads them, in the language of the query: `[id] title`, the text, and what else is asked so."""
    hits = open_index(KNOWLEDGE / file).search(query, top_k=3)
    if not hits:
        return "該当する項目はありません。 (No entry matches.)"
    end, also = ("", "別の尋ね方") if JAPANESE_RUN.search(query) else ("_en", "Also asked")
    return "\n\n".join(
        f"[{hit['id']}] {hit['title' + end]}\n{hit['text' + end]}\n{also}: {' / '.join(hit['asked' + end])}"
        for hit in hits
    )


# Runs the search that the model asked for, or hands its answer on.
function = function_node([faq_search, guideline_search])
