"""JSON as text: reading what others wrote, and passing on what is not to be written again."""
