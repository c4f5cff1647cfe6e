"""The encoder that turns texts into states: cutting into pieces, running, and how the model is installed."""
