class My:
    def __init__(self, n: int = 0):
        if n == 0:
            raise ValueError("n is zero")
        self.n = n

    def __call__(self, q: str) -> str:
        return f"{q} {self.n}"
