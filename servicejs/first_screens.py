"""
What a call shows first, made by the service while the browser still loads Python: the same screens, the same words.

Of the SDK the service imports only this and `language`. Nothing here makes requests: the service passes in what it
knows, and sends that along with the HTML, so that the screens continue from there in the browser (`handover.py`).
"""

from collections.abc import Callable
from importlib import resources
from typing import Any, TypeVar

from attrs import frozen

from service_client.models import App, AppList, ConnectSession, Function
from servicejs.call_arguments import CallArguments, prediction_in
from servicejs.connect_attempt import Phase, name_of_account
from servicejs.errors import SdkError
from servicejs.forms.drafts import Draft
from servicejs.forms.opening import Opening
from servicejs.forms.values import Leaf, walk
from servicejs.handover import Handover
from servicejs.language import gettext as _
from servicejs.language import load_catalogs, speak
from servicejs.look import chosen_accent
from servicejs.method_options import check_options
from servicejs.screens.connect_panel import ConnectFirst, connect_label, connect_panel
from servicejs.screens.function_form import FunctionFormScreen
from servicejs.screens.listed_apps import ListedApps
from servicejs.screens.prompt_box import PromptBox
from servicejs.templates import load_template

T = TypeVar("T")

MOST_VALUES = 300
"""Values in the arguments of a form: drawing a form with more would keep the service busy for too long."""


class NoFirstScreen(Exception):
    """Only the browser can draw what is asked for, or say what is wrong with it."""


def prepare() -> None:
    """Load all templates and translations, so that the first user who is shown something doesn't wait for them."""
    for folder in ("servicejs", "parts"):
        for file in resources.files("web_assets").joinpath("templates", folder).iterdir():
            load_template(f"{folder}/{file.name}")
    load_catalogs()


@frozen
class Call:
    """A call of the SDK that shows something, and the locale that its user reads."""

    method: str
    arguments: CallArguments
    locale: str

    @classmethod
    def read(cls, method: str, values: Any, locale: str) -> "Call":
        """Read what the page passed; raises NoFirstScreen if that is not an object, or an option unknown."""
        if not isinstance(values, dict):
            raise NoFirstScreen
        try:
            check_options(method, values.get("optionNames"))
        except SdkError as error:
            raise NoFirstScreen from error
        return cls(method, CallArguments(values), locale)

    @property
    def app_names(self) -> tuple[str, ...]:
        """The apps that `showApps` names, or the one of `connectApp`."""
        return self._read(lambda given: given.texts("apps") if self.method == "showApps" else (given.text("appName"),))

    @property
    def function_name(self) -> str:
        """The function of `showFunctionUI`."""
        return self._read(lambda given: given.text("functionName"))

    @property
    def functions(self) -> tuple[str, ...]:
        """The functions that `connectApp` asks permissions for, in addition to the usual ones."""
        return self._read(lambda given: given.texts("functions"))

    @property
    def redirect_url(self) -> str | None:
        """Where connecting leads back to, if it leaves the page."""
        return self._read(lambda given: given.optional_text("redirectUrl"))

    @property
    def account_id(self) -> int | None:
        """The account that the page names."""
        return self._read(lambda given: given.account())

    @property
    def renderers(self) -> tuple[str, ...]:
        """The fields that the page draws itself."""
        return self._read(lambda given: given.texts("renderers"))

    @property
    def accent(self) -> str | None:
        """The colour that the page has chosen."""
        return chosen_accent(self.arguments.values.get("accent"))

    def has(self, name: str) -> bool:
        """Whether something is true in the arguments."""
        return self.arguments.values.get(name) is True

    def _read(self, read: Callable[[CallArguments], T]) -> T:
        try:
            return read(self.arguments)
        except SdkError as error:
            raise NoFirstScreen from error


@frozen
class FirstScreen:
    """
    What a surface shows first; `label` is its name for screen readers.

    `known` goes back to the screens with the call. A call that `is_over` has nothing more to wait for.
    """

    html: str
    label: str
    known: dict[str, Any]
    is_over: bool = False


def marketplace(call: Call, apps: AppList) -> FirstScreen:
    """Return what `showApps` begins with: the named apps, or the first page of all."""
    speak(call.locale)
    listed = ListedApps(call.app_names, call.has("modal"))
    listed.add(apps.apps)
    listed.state = "loading" if apps.cursor else "listed"
    box = None if call.arguments.values.get("promptBox") is False else PromptBox(_unused, _unused, _unused)
    return FirstScreen(listed.render(box), _("Apps"), Handover(apps=apps).known(), is_over=not apps.cursor)


def connecting(call: Call, app: App, account_id: int | None, session: ConnectSession) -> FirstScreen:
    """Return the panel for an account that is being connected, with a link if the browser opened no window for it."""
    speak(call.locale)
    phase: Phase = "blocked" if call.arguments.values.get("popup") is None else "waiting"
    if call.redirect_url is not None:
        phase = "leaving"
    html = connect_panel(app, name_of_account(app, account_id), phase, session.url)
    return FirstScreen(html, connect_label(app, account_id), Handover(app=app).known())


def function_form(call: Call, function: Function, app: App) -> FirstScreen:
    """
    Return what `showFunctionUI` begins with: the form, or the offer to connect its app first.

    Raises NoFirstScreen for a form with very many values, or with moments, which are shown in the user's time zone.
    """
    speak(call.locale)
    known = Handover(app=app, function=function).known()
    if not app.connected_accounts:
        html = ConnectFirst(app.title, "", _unused, _unused).render()
        return FirstScreen(html, connect_label(app, None), known)
    given = call.arguments.values.get("params") or {}
    draft = call.arguments.values.get("draft")
    if not isinstance(given, dict) or _count(given) > MOST_VALUES or str(draft).count(",") > MOST_VALUES:
        raise NoFirstScreen
    opening = Opening(
        function=function,
        arguments=given,
        prediction=prediction_in(call.arguments.values.get("prediction") or {}),
        renderers=frozenset(call.renderers),
    )
    kept = Draft(draft if isinstance(draft, str) else None)
    screen = FunctionFormScreen(opening, app.connected_accounts, call.account_id, _NOBODY, kept)
    leaves = [node for _path, node in walk(screen.form.root) if isinstance(node, Leaf)]
    if any(leaf.field.control == "datetime" and leaf.text for leaf in leaves):
        raise NoFirstScreen
    screen.form.sources.due()  # choices show as loading; they are asked for once Python is there
    return FirstScreen(screen.render(), function.meta.title if function.meta else function.name, known)


def _unused(*values: Any) -> Any:
    """Stand in for what only gestures need: there are none until the browser takes over the screen."""
    raise AssertionError("A first screen is only drawn.")


class _Nobody:
    """A host that has nothing to do: there are no gestures yet."""

    def __getattr__(self, name: str) -> Any:
        return _unused


_NOBODY: Any = _Nobody()


def _count(value: Any) -> int:
    match value:
        case dict():
            return 1 + sum(map(_count, value.values()))
        case list():
            return 1 + sum(map(_count, value))
    return 1
