"""What the marketplace shows, without what it does: apps, a search and a category in; HTML out."""

from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from attrs import define, field

from service_client.models import App
from servicejs.language import gettext as _
from servicejs.screens.app_search import Subject, is_named, names_of, near
from servicejs.screens.prompt_box import PromptBox
from servicejs.templates import render

LARGE_LIST = 6  # from here on a search box helps more than it distracts

SHOWN_AT_ONCE = 60
"""Apps listed before "Show more": more would slow down every painting, and nobody scrolls that far."""

State = Literal["loading", "failed", "listed"]

CATEGORIES: Mapping[str, Callable[[], str]] = {
    "commerce": lambda: _("Payments and shops"),
    "communication": lambda: _("Messages and calls"),
    "development": lambda: _("Software development"),
    "files": lambda: _("Files and documents"),
    "marketing": lambda: _("Marketing and websites"),
    "productivity": lambda: _("Calendars and notes"),
    "projects": lambda: _("Projects and tasks"),
    "sales": lambda: _("Sales and contacts"),
    "support": lambda: _("Customer support"),
}
"""The names of the catalogue's categories."""


@define(slots=False)
class ListedApps:
    """
    All apps, those with accounts first, or the apps `named` in their order.

    `closable` says that the user can take the marketplace away (not in a container of the host page). `confirming` and
    `busy` are ids of accounts: the one that the user is asked about before disconnecting it, and those that are being
    disconnected. `wait` is the number of seconds until loading may be tried again. The button of `returned_to`, an app
    that the user comes back from connecting, gets the focus.
    """

    named: tuple[str, ...]
    closable: bool
    apps: dict[str, App] = field(factory=dict)
    state: State = "loading"
    problem: str = ""
    wait: int = 0
    notice: str = ""
    confirming: int | None = None
    busy: set[int] = field(factory=set)
    returned_to: str = ""
    _search: str = ""
    _category: str = ""
    _most_shown: int = SHOWN_AT_ONCE

    def add(self, apps: Iterable[App]) -> None:
        """Show more apps."""
        self.apps.update({app.name: app for app in apps})

    def search(self, words: str) -> None:
        """Show the apps that have all of the words in their name, and those that may be meant."""
        self._search, self._most_shown = words, SHOWN_AT_ONCE

    def pick_category(self, category: str) -> None:
        """Show only apps of a category; an empty one is all of them."""
        self._category, self._most_shown = category, SHOWN_AT_ONCE

    def show_more(self) -> None:
        """Show the next part of a long list."""
        self._most_shown += SHOWN_AT_ONCE

    def render(self, prompt_box: PromptBox | None) -> str:
        """Return the list, below the prompt box if there is one."""
        matching = [app for app in self._in_category() if is_named(app, self._search)]
        return render(
            "servicejs/marketplace.html",
            apps=matching[: self._most_shown],
            near=self._near(matching),
            hidden=max(0, len(matching) - self._most_shown),
            category=self._category,
            categories=self._categories(),
            state=self.state,
            problem=self.problem,
            wait=self.wait,
            notice=self.notice,
            search=self._search,
            words_of=names_of,
            searchable=len(self.apps) >= LARGE_LIST or bool(self._search),
            confirming=self.confirming,
            busy=self.busy,
            returned_to=self.returned_to,
            closable=self.closable,
            prompt_box=prompt_box if self.apps else None,
        )

    def _near(self, matching: list[App]) -> list[App]:
        """
        The apps that a search may mean besides those that match by name.

        If none match by name, they may be in other categories, and what was typed may be a little wrong.
        """
        if not matching:
            return near(self._sorted(), self._search, subject_of, exactly=False)
        others = [app for app in self._in_category() if not is_named(app, self._search)]
        return near(others, self._search, subject_of, exactly=True)

    def _in_category(self) -> list[App]:
        return [app for app in self._sorted() if not self._category or self._category in app.categories]

    def _sorted(self) -> list[App]:
        apps = list(self.apps.values())
        return apps if self.named else sorted(apps, key=lambda app: not app.connected_accounts)

    def _categories(self) -> list[tuple[str, str]]:
        """The categories to choose from, with their names; none if there are too few to tell apps apart."""
        found = {category for app in self.apps.values() for category in app.categories}
        names = [(key, name()) for key, name in CATEGORIES.items() if key in found]
        return sorted(names, key=lambda pair: pair[1].casefold()) if len(names) > 1 else []


def subject_of(app: App) -> Subject:
    """What an app is for, with its categories as the user reads them, except the one that covers many things."""
    kinds = [name() for key, name in CATEGORIES.items() if key in app.categories and key != "productivity"]
    return Subject(app.description, " ".join(kinds))
