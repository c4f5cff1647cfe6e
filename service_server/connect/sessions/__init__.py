"""Connect sessions: what the REST side asks of them, how they end, and what becomes of what they have gained."""
