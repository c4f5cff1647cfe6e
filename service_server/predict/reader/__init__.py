"""The trained reader: questions about a prompt, laid out for the encoder, and the answers read from its states."""
