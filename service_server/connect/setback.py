"""An attempt to connect that came to nothing, in words for the user."""


class Setback(Exception):
    """
    What went wrong and what to do; `final` when trying again in this session can't help.

    `refused` tells that the app rejected the credentials the user typed in.
    """

    def __init__(self, text: str, *steps: str, final: bool = False, refused: bool = False) -> None:
        super().__init__(text)
        self.text = text
        self.steps = steps
        self.final = final
        self.refused = refused
