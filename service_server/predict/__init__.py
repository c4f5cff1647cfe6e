"""
Predict a function, and its arguments, from a prompt in natural language.

Everything here is pure: no I/O, no state beyond an index over the catalogue; only `model` reads files, and what is
behind `encoder.install` fetches and writes them. The stages are separate (rank, decide, fill, validate), so that each
can be replaced by a better one without touching the others. `predictor` puts them together; to import it takes a third
of a second, so who only handles what a prediction says imports `values`.
"""
