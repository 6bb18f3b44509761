from promptflow.core import tool
@tool
def f(x):
    return x
