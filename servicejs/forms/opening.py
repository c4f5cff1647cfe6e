"""What a form is opened with."""

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from service_client.models import Function, Prediction
from servicejs.forms.form import Form


@frozen(kw_only=True)
class Opening:
    """
    A function whose form is to be filled in, and what is known of its arguments to begin with.

    Arguments may come from a `prediction`: fields then say from which words, or what those words may mean. `renderers`
    are the paths of the fields that the page draws. A draft belongs to the arguments, or to what it is a `draft_of`.
    """

    function: Function
    arguments: Mapping[str, Any] = field(factory=dict[str, Any])
    prediction: Prediction | None = None
    renderers: frozenset[str] = frozenset()
    draft_of: Mapping[str, Any] | None = None

    def form(self) -> Form:
        """Make the form, as it is before anybody has changed anything."""
        form = Form(self.function, self.arguments)
        if self.prediction is not None:
            form.suggest(self.prediction)
        return form
