"""What a service does regularly beside answering requests."""
