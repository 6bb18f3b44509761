from promptflow.core import tool
class Thing:
    def __repr__(self): return 'Thing!'
@tool
def f(n: int):
    return Thing()
