"""QuickBooks' API by the client that most of its users of Python take: its entities, and what each of them can do."""

import re
from collections.abc import Iterator, Mapping

from tests.connectors.descriptions.clients import ClientSources, Operation, words_of
from tests.connectors.descriptions.packages import pypi

_BY_MIXIN = {
    "DeleteMixin": (("POST", "/{name}"),),
    "QuickbooksManagedObject": (("GET", "/{name}/{{}}"), ("POST", "/{name}")),
    "QuickbooksPdfDownloadable": (("GET", "/{name}/{{}}/pdf"),),
    "SendMixin": (("POST", "/{name}/{{}}/send"),),
}


def _read(sources: Mapping[str, str]) -> Iterator[Operation]:
    """Read the mixins of each entity's class; its attributes are the names that it has."""
    shared = words_of(sources["quickbooks/objects/base.py"]) | words_of(sources["quickbooks/objects/detailline.py"])
    shared |= words_of(sources["quickbooks/mixins.py"])
    for text in sources.values():
        for each in re.split(r"^class ", text, flags=re.MULTILINE)[1:]:
            entity = re.search(r'^    qbo_object_name = "(\w+)"', each, re.MULTILINE)
            bases = each.partition("):")[0]
            if entity is None:
                continue
            for mixin, calls in _BY_MIXIN.items():
                for method, path in calls if mixin in bases else ():
                    yield Operation(method, path.format(name=entity[1].lower()), words_of(text) | shared)
    client = sources["quickbooks/client.py"]
    assert "/company/{1}/query" in client
    assert "/company/{0}/reports/{1}" in client
    yield Operation("GET", "/query", frozenset({"query"}))
    # The client sends whatever it is given; the names are those of Intuit's documentation of the two reports.
    report = frozenset({"start_date", "end_date", "accounting_method", "customer", "summarize_column_by"})
    yield Operation("GET", "/reports/{}", report)


CHECK = ClientSources(
    pypi(
        "python-quickbooks==0.9.12",
        "sha256:40da646687f8c5bbaf5095bda2575e62cc898247d1544945d704cec6d36f50ee",
    ),
    base_url="https://quickbooks.api.intuit.com/v3/company/*",
    sources=("quickbooks/objects/*.py", "quickbooks/mixins.py", "quickbooks/client.py"),
    reader=_read,
    # Said in every version of the documentation; the client sends the whole record instead.
    extra=frozenset({"sparse"}),
)
