"""Where Debian's Chromium is; the tests that need it are skipped where it is not."""

from pathlib import Path

CHROMIUM = Path("/usr/bin/chromium")
