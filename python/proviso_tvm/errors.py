"""What is not exported, and by what name it is counted."""


class NotExported(Exception):
    """The program has a construct that has no spelling in Proviso's text."""

    def __init__(self, construct):
        super().__init__(f"not exported: {construct}")
        self.construct = construct
