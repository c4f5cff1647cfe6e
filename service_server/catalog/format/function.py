"""A file in `functions/`: one operation of an app."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from attrs import evolve, fields, frozen

from service_server.catalog.expressions import filled_text
from service_server.catalog.format.keys import Form, Jmespath, Keywords, Name, Scope, Words, key
from service_server.catalog.format.parameters import DeclaredParameters
from service_server.catalog.outcome import OutcomeTemplate
from service_server.catalog.pagination import AnyPaging
from service_server.catalog.prior_requests import LookUp, PriorStep
from service_server.catalog.requests import Request


@frozen(kw_only=True)
class DeclaredFile:
    """That the answer is kept as a file."""

    format: Literal["file"] = key(
        "Always file: what the app answers is kept for an hour, and the result tells its id, name, size and media type."
    )
    when: str | None = key("The parameter that has to be true for it; else the answer is relayed.", None)
    name: str | None = key("What the file is called where the app doesn't tell, such as ${args.name?}.", None)
    base64: Annotated[str, Keywords(minLength=1, maxLength=200)] | None = key(
        "The key under which the file stands in base64, for answers that are a JSON object and not the file itself.",
        None,
    )

    def is_wanted(self, arguments: Mapping[str, Any]) -> bool:
        """Whether a call with these arguments wants a file."""
        return self.when is None or arguments.get(self.when) is True

    def file_name(self, arguments: Mapping[str, Any]) -> str:
        """Return what the file is called where the app doesn't tell; empty where nothing says so."""
        return "" if self.name is None else filled_text(self.name, {"args": arguments})


@frozen(kw_only=True)
class DeclaredExchange:
    """A request, and how its answer is read."""

    prepare: Name | None = key(
        "The function in hooks.py that makes of the arguments what the request finds under `prepared`.", None
    )
    reshape: Name | None = key(
        "The function in hooks.py that makes of a successful answer the body that `output` picks from (queries only).",
        None,
    )
    request: Request = key()
    paginate: str | AnyPaging | None = key(
        "The name of one of the connector's paging strategies, or one of the function's own.", None
    )
    output: Jmespath | DeclaredFile | None = key(
        "JMESPath to the part of the answer that is relayed (queries only, on a 2xx); ${args.name} in it stands for an "
        "argument. Or an object: the answer is kept as a file.",
        None,
    )


@frozen(kw_only=True)
class DeclaredInstead(DeclaredExchange):
    """
    Another request, sent in place of `request` where one of the parameters is given: for apps that search elsewhere
    than they list (queries only).
    """

    given: str = key("The parameter, such as a search text.")


@frozen(kw_only=True)
class DeclaredExample:
    """What people would ask for, and the arguments it comes to."""

    prompt: Words = key("What somebody would type: names and everyday words, no ids.")
    arguments: Mapping[str, Any] = key("What it comes to.")


@frozen(kw_only=True)
class DeclaredFunction(DeclaredExchange):
    """One operation of an app."""

    type: Literal["query", "mutation"] = key("query fetches data, mutation changes it.")
    title: Words = key("A short name, such as 'Create a ticket'.")
    description: Words = key("What it does, in the words people use in prompts.")
    destructive: bool = key("It deletes or overwrites what can't be brought back.", False)
    idempotent: bool | None = key("Doing it twice is the same as doing it once.", None)
    auth: Annotated[tuple[str, ...], Keywords(minItems=1, uniqueItems=True)] = key(
        "The ways of signing in, by their ids, whose accounts may call it (all unless said): where what an app gives "
        "one of them can do less.",
        (),
    )
    scopes: Annotated[
        tuple[Scope | Annotated[tuple[Scope, ...], Keywords(minItems=2, uniqueItems=True)], ...],
        Keywords(minItems=1, uniqueItems=True),
    ] = key(
        "What an account that signed in by oauth2_code must have been granted; of an inner list any one is enough, and "
        "the first is asked for.",
        (),
    )
    parameters: Annotated[Mapping[str, Any], Form(DeclaredParameters)] = key()
    lookup: LookUp | None = key(default=None)
    before: Annotated[tuple[PriorStep, ...], Keywords(minItems=1, maxItems=3)] = key(
        "Requests that are sent one after the other before `request`, for what takes several: to ask for an address to "
        "upload to, and to upload there (mutations only). Each has to be answered by a 2xx; else what the app answered "
        "is the result.",
        (),
    )
    instead: DeclaredInstead | None = key(default=None)
    unsearched: Words | None = key(
        "Why choices out of this list can't be searched: the reason why the app can't, or that the list is never long.",
        None,
    )
    outcome: OutcomeTemplate | None = key(default=None)
    examples: Annotated[tuple[DeclaredExample, ...], Keywords(minItems=1)] = key(
        "What people would ask for, and the arguments it comes to.", ()
    )

    @property
    def exchanges(self) -> tuple[DeclaredExchange, ...]:
        """The requests that it may send, with how their answers are read."""
        return (self,) if self.instead is None else (self, self.instead)

    @property
    def with_other_request(self) -> "DeclaredFunction":
        """What the file would say if it had only the other request, under `instead`."""
        other: Any = self.instead
        exchange = {field.name: getattr(other, field.name) for field in fields(DeclaredExchange)}
        return evolve(self, **exchange, lookup=None, instead=None)
