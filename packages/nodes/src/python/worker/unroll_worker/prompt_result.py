"""The text of a prompt node, as Prompt flow gives it to code."""


class PromptResult(str):
    """A text that any code may treat as one; which of its lines are a user's is known to the engine, not here."""

    def __init__(self, string):
        super().__init__()
        self.original_string = string
        self.escaped_string = ""
        self.escaped_mapping = {}

    def get_escape_string(self):
        return self.escaped_string

    def set_escape_string(self, escaped_string):
        self.escaped_string = escaped_string

    def get_escape_mapping(self):
        return self.escaped_mapping

    def set_escape_mapping(self, escape_mapping):
        self.escaped_mapping = escape_mapping

    def need_to_escape(self):
        return bool(self.escaped_mapping)
