"""Packages of vendors are the pinned ones, and only what is read of them is kept."""

import io
import tarfile
from pathlib import Path

import pytest
from attrs import evolve

from tests.connectors.descriptions import packages
from tests.connectors.descriptions.compiled_types import amended
from tests.connectors.descriptions.packages import Package, fetch_missing


def test_a_package_is_the_pinned_one_and_only_what_is_wanted_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package with another digest, or without a member that is wanted, is refused and leaves nothing behind."""
    content = b"export {}"
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name in ("notes/lib/a.js", "notes/lib/b.js", "notes/docs/c.md"):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))

    def download(_: object, directory: Path) -> Path:
        # Only the registry is left out.
        file = directory / "notes-1.0.0.tgz"
        file.write_bytes(packed.getvalue())
        return file

    monkeypatch.setattr(packages, "CACHE", tmp_path / "cache" / "descriptions")
    monkeypatch.setattr(packages, "_download", download)
    digest = packages.digest("npm", packed.getvalue())
    notes = Package("npm", "notes", "1.0.0", digest)
    wanted = notes.keeping("lib/*.js")
    fetch_missing([wanted, wanted])

    assert {"lib/a.js": "export {}", "lib/b.js": "export {}"} == wanted.texts()
    assert ["lib/a.js"] == list(wanted.texts("*a.js"))
    with pytest.raises(ValueError, match="not the pinned sha512-AAAA"):
        fetch_missing([evolve(notes, digest="sha512-AAAA").keeping("lib/*.js")])
    with pytest.raises(ValueError, match="has no member src"):
        fetch_missing([notes.keeping("src/*")])
    assert [wanted.file] == list(wanted.file.parent.iterdir())


def test_amended_types_are_there() -> None:
    """What is amended has to be in the types, so that an exception goes when its reason has gone."""
    assert {"a": "type A = string"} == amended(("any", "string"))({"a": "type A = any"})
    with pytest.raises(ValueError, match="no member holds other"):
        amended(("other", "string"))({"a": "type A = any"})
