"""Fill a function's arguments from the words of a prompt."""
