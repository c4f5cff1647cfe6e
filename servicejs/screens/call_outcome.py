"""What came of a call that the marketplace made."""

import json
from collections.abc import Awaitable, Callable

from service_client.errors import ServiceClientError
from service_client.models import CallResult
from servicejs.answers import file_address, is_file, is_unanswered, read_answer, read_reason
from servicejs.errors import explain
from servicejs.language import gettext as _
from servicejs.screens.screen import Gesture
from servicejs.templates import render

MOST_SHOWN = 20_000
"""Characters of an output: more would slow down every painting, and nobody reads that far."""

_JSON = json.JSONEncoder(ensure_ascii=False, indent=2)

NextPage = Callable[[str], Awaitable[CallResult]]
"""Calls the same function for the page at a cursor."""


class CallOutcome:
    """
    Says that a function is being called and, once there is a `result`, what the app answered.

    `over` is called when the user has seen it. With `next_page` the user can page through a list; pages that were seen
    are kept. With `mend` the user can go back to the form of a call that failed; it gets the words that say why.
    """

    def __init__(
        self,
        title: str,
        app_title: str,
        over: Callable[[], None],
        refresh: Callable[[], None],
        next_page: NextPage | None = None,
        *,
        mend: Callable[[str], None] | None = None,
    ) -> None:
        self._title = title
        self._app_title = app_title
        self._over = over
        self._refresh = refresh
        self._next_page = next_page
        self._mend = mend
        self._pages: list[CallResult] = []
        self._at = 0
        self._is_turning = False
        self._problem = ""

    @property
    def result(self) -> CallResult | None:
        """The page that is shown; None as long as there is none."""
        return self._pages[self._at] if self._pages else None

    def show(self, result: CallResult) -> None:
        """Show what the app answered."""
        self._pages, self._at = [result], 0
        self._refresh()

    def render(self) -> str:
        """Return the outcome."""
        result = self.result
        output = _words(result.output) if result is not None else ""
        succeeded = result is not None and not self.failed
        return render(
            "servicejs/call_outcome.html",
            title=self._title,
            app_title=self._app_title,
            result=result,
            succeeded=succeeded,
            answer=read_answer(result.output, result.outcome) if result is not None and succeeded else None,
            failure=self._failure(result) if result is not None and not succeeded else (),
            mendable=self._mend is not None,
            file=file_address(result.output) if result is not None else "",
            output=output[:MOST_SHOWN],
            is_cut=len(output) > MOST_SHOWN,
            page=self._at + 1,
            has_before=self._at > 0,
            has_more=self._has_more,
            is_turning=self._is_turning,
            problem=self._problem,
        )

    async def handle(self, gesture: Gesture) -> None:
        """Turn a page, or go back to the apps; while the call is under way nothing can be undone."""
        if self.result is None:
            return
        match gesture.action:
            case "mend" | "escape" if self._mend is not None and self.failed:
                self._mend(" ".join(self._failure(self.result)))
            case "back" | "escape":
                self._over()
            case "page-before" if self._at > 0 and not self._is_turning:
                self._at -= 1
                self._problem = ""
                self._refresh()
            case "page-after" if self._has_more and not self._is_turning:
                await self._turn()

    def leave(self) -> None:
        """Stop showing the outcome; the call still runs to its end."""
        self._over()

    @property
    def failed(self) -> bool:
        """Whether the app has answered, but not that it was done."""
        return self.result is not None and not self.result.network_code.startswith("2")

    def _failure(self, result: CallResult) -> tuple[str, ...]:
        """Say why the call failed, in sentences."""
        if is_unanswered(result) and self._next_page is None:
            words = _(
                "%(app)s gave no whole answer, so this may have been done. Look there before you send it again.",
                app=self._app_title,
            )
            return (words,)
        words = _("%(app)s returned an error (%(code)s).", app=self._app_title, code=result.network_code)
        reason = read_reason(result.output)
        return (words, reason) if reason else (words,)

    @property
    def _has_more(self) -> bool:
        result = self.result
        is_known = self._at + 1 < len(self._pages)
        return is_known or (self._next_page is not None and result is not None and bool(result.next_page))

    async def _turn(self) -> None:
        """Go on to the next page; if it can't be loaded, the user stays on this one."""
        if self._at + 1 < len(self._pages):
            self._at += 1
            self._problem = ""
            return self._refresh()
        assert self._next_page is not None  # noqa: S101  there is more
        cursor = self._pages[self._at].next_page
        assert cursor is not None  # noqa: S101
        self._is_turning, self._problem = True, ""
        self._refresh()
        try:
            self._pages.append(await self._next_page(cursor))
            self._at += 1
        except ServiceClientError as error:
            self._problem = explain(error)
        finally:
            self._is_turning = False
            self._refresh()


def _words(output: object) -> str:
    """Write an output, and no more of it than tells that it is too long: some are of millions of values."""
    if output is None or is_file(output):
        return ""
    words = ""
    for part in [output] if isinstance(output, str) else _JSON.iterencode(output):
        words += part
        if len(words) > MOST_SHOWN:
            break
    return words
