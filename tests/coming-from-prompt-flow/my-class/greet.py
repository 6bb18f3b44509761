class Greet:
    def __init__(self, mark: str = "."):
        self.mark = mark

    def __call__(self, name: str) -> str:
        return "Hello " + name + self.mark
