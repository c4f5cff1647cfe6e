"""
What an app's answer says: its body as it is relayed, the part a query picks, what error it is, what follows.

Small answers are read on the event loop, large ones in `side_process`.
"""
