"""Every part of the browser SDK in every state, on one page: the demo serves it, and tests compare its HTML."""
