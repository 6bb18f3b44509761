from promptflow.core import tool


@tool
def format_input(query: str) -> dict:
    """The state before the first turn: nothing searched, nothing found."""
    return {"finished": False, "query": query, "function_results": []}
