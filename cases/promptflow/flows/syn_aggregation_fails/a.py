from promptflow.core import tool
@tool
def f(n: int):
    return n
