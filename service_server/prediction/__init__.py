"""
The predictions of a running service.

`predict` says what a prompt asks for. Here it gets its catalogue, its model and the vectors of earlier starts, and the
names that it leaves unresolved become ids in the user's account.
"""
