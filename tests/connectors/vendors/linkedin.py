"""LinkedIn's API by a client for Python, since the vendor's own client knows no paths."""

from tests.connectors.descriptions.compiled_types import Rewrite, amended, as_they_are
from tests.connectors.descriptions.description import Description, any_of
from tests.connectors.descriptions.packages import pypi
from tests.connectors.descriptions.python_client import python_client

# What a comment is on stands in the vendor's own example, too.
_COMMENTED = amended(('"message": {"text": text}', '"object": post_urn, "message": {"text": text}'))


def _version(name: str, call: str, rewrite: Rewrite = as_they_are) -> Description:
    return python_client(
        pypi("ldraney-linkedin-sdk==0.1.2"),
        base_url=f"https://api.linkedin.com/{name}",
        sources=("linkedin_sdk/*.py",),
        call=rf"self\._{call}",
        rewrite=rewrite,
    )


CHECK = any_of(_version("rest", "(?P<method>get|post|delete)", _COMMENTED), _version("v2", "(?P<method>get)_v2"))
