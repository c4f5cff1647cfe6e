"""
The predictions of a running service.

`predict` says what a prompt asks for; here it gets its catalogue, its model and the vectors of earlier starts, and the
names that it leaves become ids in the user's account.
"""
