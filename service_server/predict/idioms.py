"""Everyday words for what functions are described with: "nudge me", "shelve it", "get shot of it"."""

import re

# Where an order begins: at the start, behind a comma or a colon, behind "and" or "please".
_BEGINS = r"(?P<begins>^\W*|[,;:.!–—-] +|\b(?:and|then|please|pls|just|can you|could you) +)"
_WHO = r"(?P<who>[^,;:.!?]{1,40}?)"
_SAYINGS = (
    (r"go ahead and ", ""),
    (r"(?:nudge|ping|poke|buzz) me\b(?=.* (?:to|about|that|at|in|on|when) )", "remind me"),
    (rf"give {_WHO} an? (?:nudge|poke|prod)\b", r"remind \g<who>"),
    (r"(?:shelve|mothball) (?!up\b|out\b)", "archive "),
    (r"(?:zap|junk) (?=the |my |our |it\b|that |this |all )", "delete "),
    (r"get shot of ", "get rid of "),
    (r"lose (?=the |rows?\b|columns?\b|all |that |this )", "remove "),
    (rf"lock {_WHO} out of ", r"remove \g<who> from "),
    (rf"(?:chuck|boot|toss|throw) {_WHO} out of (?!the (?:bin|trash|archive))", r"remove \g<who> from "),
    (rf"kick {_WHO} out of (?=[^,;:.]*\b(?:folder|list|group|team|project|board)\b)", r"remove \g<who> from "),
    (r"get me out of ", "leave "),
    (rf"let {_WHO} into ", r"add \g<who> to "),
    (rf"(?:keep|bring) {_WHO} in(?:to)? the loop on ", r"add \g<who> as a follower to "),
    (rf"loop {_WHO} in on ", r"add \g<who> as a follower to "),
    (rf"(?:give|pay|hand) {_WHO} (?:(?:his|her|their|the|its) money|in full) back\b", r"refund \g<who>"),
    (rf"(?:give|pay|hand) {_WHO} back (?:(?:his|her|their|the|its) money|in full)\b", r"refund \g<who>"),
    (r"(?:land|ship) (?=(?:PR|MR|pull request|merge request|#|!)\s?#?\d)", "merge "),
    (r"squash and (?:land|merge) ", "squash-merge "),
    (r"(?:lump|fold|roll) (?=[^,;:.]* (?:together|into)\b)", "merge "),
    (r"cut (?=v?\d+\.\d)", "create the release "),
    (r"(?:kick off|fire up|spin up) ", "start "),
    (r"wrap up ", "finish "),
    (r"pull back (?=[A-Z])", "withdraw "),
    (r"(?:scrub|scratch) (?=the |my |our |tomorrow|today)", "cancel "),
    (r"pencil in ", "schedule "),
    (r"(?:park|shove|slide|tuck|shunt) (?!an? |new )(?=[^,;:.]* (?:in|into|to|under)\b)", "move "),
    (rf"(?:shoot|sling) {_WHO} over to ", r"forward \g<who> to "),
    (r"fire off ", "send "),
    (r"(?:say no to|turn down|no thanks to) ", "decline "),
    (r"say yes to ", "accept "),
    (r"(?:pull up|dig out|dig up) ", "show "),
    (rf"open (?:up )?{_WHO} again\b", r"reopen \g<who>"),
    (rf"put {_WHO} on (?:ice|hold)\b", r"pause \g<who>"),
    (r"spam it\b", "mark it as spam"),
    (r"maybe for (?=[A-Z])", "tentatively accept "),
    (r"yes to (?=[A-Z])", "approve "),
)
_PATTERNS = [(re.compile(_BEGINS + said, re.IGNORECASE), rf"\g<begins>{meant}") for said, meant in _SAYINGS]
# One look at a prompt tells that it has none of them, as most do.
_ANY = re.compile(
    _BEGINS + "(?:" + "|".join(said.replace(_WHO, _WHO.replace("?P<who>", "?:")) for said, _ in _SAYINGS) + ")",
    re.IGNORECASE,
)


def in_plain_words(prompt: str) -> str:
    """Return a prompt with the sayings that order something in the words of functions; nothing else changes."""
    if _ANY.search(prompt) is None:
        return prompt
    for said, meant in _PATTERNS:
        prompt = said.sub(meant, prompt)
    return prompt
