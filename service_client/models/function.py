"""Functions: single operations in a third-party app."""

from typing import Any, Literal

from attrs import field, frozen

from service_client.models.meta import FunctionMeta
from service_client.models.prediction import Prediction

FunctionType = Literal["query", "mutation", "passthrough"]
"""Today's types; a newer service may have others."""


@frozen(kw_only=True)
class Parameters:
    """
    The arguments a function takes, in JSON Schema style.

    Each value of `properties` has `type` (string, number, boolean, array or object) and `description`, arrays have
    `items`, objects `properties`; further keywords are title, enum, format, default, minimum, maximum and pattern.
    """

    type: Literal["object"] | str = "object"
    properties: dict[str, Any] = field(factory=dict[str, Any])
    required: tuple[str, ...] = ()


@frozen(kw_only=True)
class Function:
    """
    One operation of an app, named `<app_name>-<action>`.

    `meta` is set if `include=meta` was asked for, `arguments` and `prediction` after a prediction.
    """

    name: str
    description: str
    parameters: Parameters
    type: FunctionType | str = "query"
    meta: FunctionMeta | None = None
    arguments: dict[str, Any] | None = None
    prediction: Prediction | None = None

    @property
    def app_name(self) -> str:
        """The name of the app the function belongs to: the part before the first hyphen."""
        return self.name.partition("-")[0]

    def _repr_html_(self) -> str:
        from service_client.models.notebook import function_html  # only notebooks need it

        return function_html(self)


@frozen(kw_only=True)
class FunctionList:
    """One page of functions; `cursor` is empty on the last page."""

    functions: tuple[Function, ...]
    cursor: str = ""
