"""The directories that a catalogue comes from; a connector is there because its folder is."""

from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from service_server.catalog.catalog import Catalog
from service_server.catalog.folders import connector_folders, signature_of
from service_server.catalog.load import doubles, load_pack, load_packs
from service_server.catalog.pack import Pack
from service_server.catalog.problems import Problem


@frozen(kw_only=True)
class Change:
    """
    What has become of a catalogue since it was last looked at.

    `catalog` is the new one, None where nothing in it has changed; the names are those of apps. `problems` is all that
    is wrong now, None where that is what was wrong before.
    """

    catalog: Catalog | None = None
    added: Sequence[str] = ()
    changed: Sequence[str] = ()
    removed: Sequence[str] = ()
    problems: Sequence[Problem] | None = None


class ConnectorDirectories:
    """
    The directories of connectors, in the order of precedence; of each one is known what has been read of it.

    `cache` is a directory for what makes the next start faster; only the `watched` ones are looked at again.
    """

    def __init__(self, fixed: Sequence[Path], watched: Sequence[Path] = (), cache: Path | None = None) -> None:
        self._fixed = fixed
        self._watched = watched
        self._cache = cache
        self._packs: dict[Path, Pack] = {}
        self._problems: list[Problem] = []
        self._read: dict[Path, str | None] = {}
        self._seen: dict[Path, str] = {}

    def load(self) -> Catalog:
        """Read all connectors, unchanged ones from the cache; raise `CatalogError` with all that is wrong."""
        self._packs = load_packs((*self._fixed, *self._watched), self._cache)
        # A folder that had just been written when it was read has no signature, and is read once more.
        self._read = {
            directory / name: entry.signature
            for directory in self._watched
            for name, entry in self._packs[directory].entries.items()
        }
        return Catalog(tuple(self._packs.values()))

    def look(self) -> Change:
        """
        Look whether watched files have changed, and read those that have, once they have stayed as they are for a look.

        An app whose files have problems stays what it was when they had none.
        """
        folders = (folder for directory in self._watched for folder in connector_folders(directory, []))
        now = {folder: signature_of(folder).text for folder in folders}
        if now == self._read:
            return Change()
        if now != self._seen:
            self._seen = now  # perhaps in the middle of being written
            return Change()
        self._read = dict(now)
        before = self._digests()
        problems: list[Problem] = []
        for directory in self._watched:
            self._packs[directory] = load_pack(directory, self._cache, problems, self._packs[directory])
        problems += doubles(self._packs.items())
        after = self._digests()
        same_problems = sorted(problems) == self._problems
        self._problems = sorted(problems)
        return Change(
            catalog=None if before == after else Catalog(tuple(self._packs.values())),
            added=sorted(after.keys() - before.keys()),
            changed=sorted(name for name in after.keys() & before.keys() if after[name] != before[name]),
            removed=sorted(before.keys() - after.keys()),
            problems=None if same_problems else self._problems,
        )

    def _digests(self) -> dict[str, str]:
        packs = reversed(self._packs.values())
        return {name: entry.digest for pack in packs for name, entry in pack.entries.items()}
