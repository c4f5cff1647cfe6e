"""The verbs that operations are named by, and which of them only look."""

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What a hand-written connector would call an operation, and what vendors do.
_USUAL = {
    "get": "retrieve fetch read show view",
    "list": "index browse",
    "delete": "destroy",
    "update": "modify edit change",
    "create": "new",
}
SYNONYMS: Final = {word: verb for verb, words in _USUAL.items() for word in words.split()}
OF_METHODS: Final = {"post": "create", "put": "update", "patch": "update", "delete": "delete", "head": "get"}
SURE: Final = _words("""
    accept acknowledge activate add allow answer append apply approve assign attach authenticate authorize ban
    browse calculate cancel check clear clone close compare complete confirm connect convert copy count create
    deactivate decline delete deny destroy detach disable disconnect dismiss download duplicate edit enable end
    enqueue estimate evaluate execute export fetch find finish follow forward generate get hide import insert
    install invalidate invoke join kick list login logout lookup mark merge migrate modify move mute notify patch
    pay ping post promote provision publish purge push put query react read rebuild receive redeliver refresh refund
    register reject release remove rename render reopen replace reply rerequest rerun resend reset resolve restart
    restore resume retrieve retry revert revoke rotate save search send set show simulate stop submit subscribe
    suspend sync synchronize toggle transfer translate trigger unarchive unassign unban unblock undelete unfollow
    unfurl uninstall unlink unlock unmute unpin unpublish unshare unstar unsubscribe unsuspend untrash update
    upgrade upload upsert validate verify void vote withdraw write
""")
# These are as often nouns, so another verb beside them is the one that is meant.
AMBIGUOUS: Final = _words("""
    archive batch block bulk change deploy filter force fork grant index invite issue label leave link load lock
    open order pause pin preview process purchase queue report request review run schedule share sign snooze star
    start test track trash view watch
""")
VERBS: Final = (SURE | AMBIGUOUS) - {"label", "purchase"}
LOOKING: Final = _words("search query find lookup list count filter get read retrieve fetch")
DESTROYING: Final = _words("delete destroy purge erase wipe")
ARTICLES: Final = _words("a an the your my all specific given existing new single one")
SMALL: Final = _words("of for in on at to from by with and or via into as using")
