"""Uploads the files that are chosen in a form, each as soon as it is chosen."""

import asyncio
from collections.abc import Awaitable, Callable

from service_client.models import File
from servicejs.errors import explain
from servicejs.forms.chosen_file import ChosenFile, read_chosen_file
from servicejs.forms.form import Form
from servicejs.forms.paths import Path
from servicejs.forms.values import Leaf


class FileUploads:
    """
    Uploads files for the fields of a form; `upload` takes one, and `changed` is called whenever one has ended.

    `form` may be replaced by another one; what is still on its way for the one before has no effect then.
    """

    def __init__(
        self, form: Form, upload: Callable[[ChosenFile], Awaitable[File]], changed: Callable[[], None]
    ) -> None:
        self.form = form
        self._upload = upload
        self._changed = changed
        self._running: dict[Leaf, asyncio.Task[None]] = {}

    def choose(self, path: Path, said: str) -> None:
        """Take the file that the page says was chosen for a field."""
        leaf, chosen = self.form.node(path), read_chosen_file(said)
        if isinstance(leaf, Leaf) and chosen is not None:
            self.take_out(path)
            leaf.file = chosen
            self._running[leaf] = asyncio.ensure_future(self._run(leaf, chosen))

    def take_out(self, path: Path, *, by_address: bool = False) -> None:
        """Take a field's file out again, also one that is on its way; another is chosen, or given by its address."""
        leaf = self.form.node(path)
        if isinstance(leaf, Leaf):
            if (task := self._running.pop(leaf, None)) is not None:
                task.cancel()
            leaf.by_address = by_address
            self.form.set_text(path, "")

    def cancel(self) -> None:
        """Stop all that are on their way."""
        for task in self._running.values():
            task.cancel()
        self._running.clear()

    async def _run(self, leaf: Leaf, chosen: ChosenFile) -> None:
        try:
            kept = await self._upload(chosen)
        except Exception as error:  # the field says that it failed, whatever the reason
            self.form.refuse_upload(leaf, explain(error))
        else:
            self.form.take_upload(leaf, kept.id)
        del self._running[leaf]
        self._changed()
