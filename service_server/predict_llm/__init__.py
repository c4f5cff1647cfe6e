"""
Let a language model choose among the few functions that prediction ranked first, and fill in their arguments.

It is optional, and separate from `predict`, which sends nothing: `endpoint` is the only file here that does. The
model's answer is treated as a proposal by someone who has read a hostile text: only a function that was offered comes
out, only arguments that its schema allows, and only values that the prompt itself gives.
"""

from service_server.predict_llm.chooser import Choice, LanguageModelChooser

__all__ = ["Choice", "LanguageModelChooser"]
