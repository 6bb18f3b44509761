def answer(n: int, how: str = "x"):
    for i in range(n):
        if how == "bad" and i == 2: raise ValueError("bad at 2")
        yield "p%d" % i
