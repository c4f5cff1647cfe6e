"""Connect sessions: what the REST side asks of them, how they end, and what happens to what they gained."""
