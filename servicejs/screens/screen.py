"""What every screen is, and the gestures that reach it."""

from typing import Literal, Protocol

from attrs import frozen

from service_client.models import ConnectSession

GestureKind = Literal["click", "input", "change", "submit", "escape"]
GestureValue = str | bool | list[str] | None


@frozen(kw_only=True)
class Gesture:
    """
    One thing a user did on a surface.

    `action` and `argument` are the `data-action` and `data-argument` of the element it happened on; `value` is what a
    form control holds: text, a checkbox's state, or the chosen options of a multiple select. Escape in a modal arrives
    with the action and kind `escape`. `popup` names the window that the click opened, if its element asked for one, and
    `session` is the connect session that the service began for it already, before Python was there.
    """

    surface: str
    action: str
    argument: str = ""
    value: GestureValue = None
    kind: GestureKind = "click"
    popup: str | None = None
    session: ConnectSession | None = None


class Screen(Protocol):
    """
    State in, HTML out, gestures back.

    HTML marks what can be acted on with `data-action="name"` (and `data-argument="…"`): a click on buttons and links,
    `input` and `change` on form controls, `submit` on forms. A control with `data-debounce` sends its `input` gestures
    only after a short pause. `data-popup` on a button opens a window within the click, for the screen to navigate.
    `data-enter-submits` on a textarea has Enter send its form. `data-autofocus` marks the element that takes the focus
    once it appears, or once the attribute's value changes. `data-leave` marks a button that leaves what is shown, and a
    control with `data-filters="words"` hides what lacks any of its words in `data-words`: both work before Python is
    there, too. So do menus: a button with `aria-haspopup="menu"` opens the hidden menu that its `aria-controls` names.
    Ids that stay the same from one rendering to the next let the page keep focus, selection and scroll position.

    A screen takes a `refresh` callback in its constructor and calls it when it wants to be painted again.
    """

    def render(self) -> str:
        """Return the whole surface as HTML."""
        ...

    async def handle(self, gesture: Gesture) -> None:
        """Act on a gesture; never raises for something the user did."""
        ...

    def leave(self) -> None:
        """Give up: the page has taken the surface away, whatever was in it."""
        ...
