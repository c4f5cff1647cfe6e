"""Review Board's own WSGI application with settings that it offers no other place for; gunicorn runs this file."""

import os

from reviewboard.wsgi import application  # first, since it makes the settings that the others read

# isort: split
from django.conf import settings
from oauth2_provider.settings import oauth2_settings

# Review Board's settings_local.py comes too early: OAUTH2_PROVIDER is not there yet.
settings.OAUTH2_PROVIDER["ACCESS_TOKEN_EXPIRE_SECONDS"] = int(os.environ["ACCESS_TOKEN_SECONDS"])
oauth2_settings.reload()
# Five refused tokens a minute, as it comes, would be too few for all tests together.
settings.LOGIN_LIMIT_RATE = f"{os.environ['REFUSALS_AN_HOUR']}/h"
# Hashing passwords as slowly as it should be takes much of the tests' time; the administrator's is hashed already.
settings.PASSWORD_HASHERS = [f"django.contrib.auth.hashers.{name}PasswordHasher" for name in ("MD5", "PBKDF2")]

__all__ = ["application"]
