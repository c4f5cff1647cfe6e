"""What an operator sets up: applications and their origins, apps, operators and their passwords."""
