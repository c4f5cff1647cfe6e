"""How the pages of a session look: whose they are, in which colours and in which language."""

from attrs import field, frozen

from service_server.html_pages.colours import Shade, shades_of
from service_server.html_pages.language import gettext as _
from service_server.store import Application, Brand, ConnectSessionRow, Theme


@frozen(kw_only=True)
class Appearance:
    """
    The application as its users know it, and the theme of the page that they come from.

    `logo` is a `data:` URL. Without a theme the pages follow the browser; without a colour they have the service's.
    """

    application_name: str
    logo: str | None = field(default=None, repr=False)
    theme: Theme | None = None
    accent: str | None = None

    @property
    def style(self) -> str:
        """The style sheet that gives the pages their colour; empty where it is the service's."""
        if self.accent is None:
            return ""
        shades = shades_of(self.accent)
        if self.theme is not None:
            return _rule(shades.dark if self.theme == "dark" else shades.light)
        return f"{_rule(shades.light)}@media (prefers-color-scheme: dark){{{_rule(shades.dark)}}}"


def neutral() -> Appearance:
    """The appearance of pages that belong to no application, or to one that no longer exists."""
    return Appearance(application_name=_("the application"))


def appearance_of(session: ConnectSessionRow, application: Application | None, brand: Brand) -> Appearance:
    """The appearance of a session's pages: what the page that began it asked for comes before the brand."""
    return Appearance(
        application_name=brand.name or (_("the application") if application is None else application.name),
        logo=brand.logo,
        theme=session.theme,
        accent=session.accent or brand.accent,
    )


def _rule(shade: Shade) -> str:
    return f":root{{--strong:{shade.colour};--on-strong:{shade.on_it}}}"
