"""The browser behind a User-Agent header, as people know it."""

_BROWSERS = (("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
_LONGEST = 60


def browser_of(user_agent: str) -> str:
    """Name browser and system, such as Firefox on Windows; of what is neither known the beginning of what it says."""
    browser = next((name for mark, name in _BROWSERS if mark in user_agent), None)
    system = next((name for mark, name in _SYSTEMS if mark in user_agent), None)
    if browser is None:
        shown = "".join(each for each in user_agent[:_LONGEST] if each.isprintable())
        return shown or "An unknown program"
    return browser if system is None else f"{browser} on {system}"
