"""The console: where operators sign in, manage applications and apps, and read the Function Calls log."""

from typing import Any

CONSOLE_ROUTES: list[Any] = []
