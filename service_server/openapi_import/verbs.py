"""The verbs that operations are named by, and which of them only look."""

from typing import Final

# What vendors call an operation, and what a hand-written connector would.
SYNONYMS: Final = {
    "retrieve": "get",
    "fetch": "get",
    "read": "get",
    "show": "get",
    "view": "get",
    "index": "list",
    "destroy": "delete",
    "modify": "update",
    "edit": "update",
    "change": "update",
    "browse": "list",
    "new": "create",
}
OF_METHODS: Final = {"post": "create", "put": "update", "patch": "update", "delete": "delete", "head": "get"}
VERBS: Final = frozenset(
    """
    accept acknowledge activate add allow answer append apply approve archive assign attach authenticate authorize ban batch
    block browse bulk calculate cancel change check clear clone close compare complete confirm connect convert copy count
    create deactivate decline delete deny deploy destroy detach disable disconnect dismiss download duplicate edit enable end
    enqueue estimate evaluate execute export fetch filter find finish follow force fork forward generate get grant hide import
    index insert install invite invoke issue join kick leave link list load lock login logout lookup mark merge migrate
    modify move mute notify open order patch pause pay pin ping post preview process promote provision publish purge push put
    query queue react read rebuild receive redeliver refresh refund register reject release remove rename render reopen
    replace reply report request rerequest rerun resend reset resolve restart restore resume retrieve retry revert review
    revoke rotate run save schedule search send set share show sign simulate snooze star start stop subscribe submit suspend
    sync synchronize test toggle track transfer translate trigger trash unarchive unassign unban unblock undelete unfollow
    uninstall unlink unlock unmute unpin unpublish unshare unstar unsubscribe unsuspend untrash update upgrade upload upsert
    validate verify view void vote watch withdraw write
    """.split()
)
# These are as often nouns, so another verb beside them is the one that is meant.
AMBIGUOUS: Final = frozenset(
    """
    archive batch block bulk change check deploy filter force fork grant index invite issue label leave link list load lock
    open order patch pause pin post preview process purchase put query queue report request review run schedule search share
    sign snooze star start test track transfer trash update upload view watch
    """.split()
) - {"list", "update", "search", "put", "post", "patch", "upload", "query", "transfer", "check"}
LOOKING: Final = frozenset({"search", "query", "find", "lookup", "list", "count", "filter", "get", "read", "retrieve", "fetch"})
DESTROYING: Final = frozenset({"delete", "destroy", "purge", "erase", "wipe"})
ARTICLES: Final = frozenset({"a", "an", "the", "your", "my", "all", "specific", "given", "existing", "new", "single", "one"})
SMALL: Final = frozenset({"of", "for", "in", "on", "at", "to", "from", "by", "with", "and", "or", "via", "into", "as", "using"})
