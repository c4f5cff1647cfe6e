"""The pages that users see while connecting, on the service's own origin."""

from typing import Any

CONNECT_ROUTES: list[Any] = []
