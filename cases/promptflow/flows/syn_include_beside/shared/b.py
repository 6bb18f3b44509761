from promptflow.core import tool
@tool
def f(q):
    return q+q
