"""What a service does again and again beside answering."""
