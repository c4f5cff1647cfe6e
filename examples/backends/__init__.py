"""One small host backend for each framework, all with the same page and the same answers."""
