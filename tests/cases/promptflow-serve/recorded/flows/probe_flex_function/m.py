def answer(a: str, b: int = 3, c: list = None, d: dict = None, e: float = 0.5, g: bool = True):
    if a == "none": return None
    if a == "text": return "text"
    if a == "num": return 5
    if a == "list": return [1,2]
    if a == "gen": return (x for x in "abc")
    if a == "dictgen": return {"x": (x for x in "abc"), "y": 1}
    if a == "boom": raise ValueError("boom")
    if a == "nan": return {"x": float("nan")}
    return {"a": a, "b": b, "c": c, "d": d, "e": e, "g": g, "types": [type(x).__name__ for x in (a,b,c,d,e,g)]}
