"""Keys of the vault as operators keep them: one a line, never shown again."""

import base64
import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service_server.vault import VaultKeyError, keys_from_text, new_keys
from service_server.vault.keys import KEY_BYTES, Keys

KEY = base64.b64encode(b"planted-key-material-of-32-bytes").decode()
OTHER = base64.b64encode(bytes(range(32))).decode()
IDS = st.from_regex(r"[a-z0-9]{1,16}", fullmatch=True)


@given(keys=st.dictionaries(IDS, st.binary(min_size=32, max_size=32), min_size=1))
def test_keys_are_written_and_read_the_same(keys: dict[str, bytes]) -> None:
    """With the sealing one first."""
    for sealing in keys:
        written = Keys(sealing, keys)
        assert written == keys_from_text(written.text())


@pytest.mark.parametrize(
    "text", [f"a:{KEY}", f"\n  a:{KEY}  \r\n\nb:{OTHER}\n", f"a:{KEY}\r\nb:{OTHER}", f"a:{KEY},b:{OTHER}"]
)
def test_blank_lines_and_line_ends_do_not_matter(text: str) -> None:
    """A key survives an editor of another system and an environment without line ends; none is shown."""
    keys = keys_from_text(text)

    assert ("a", base64.b64decode(KEY)) == (keys.sealing, keys.by_id["a"])
    assert "planted" not in repr(keys)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("\n \n", "empty"),
        *((each, "line 1") for each in (KEY, f":{KEY}", f"A:{KEY}", f"{'a' * 17}:{KEY}")),
        *((each, "line 1") for each in (f"a:{KEY}!", f"a:é{KEY}", f"a:{KEY} {KEY}")),
        (f"a:{KEY}\nb:{KEY[:-4]}", "line 2"),
        (f"a:{KEY}\n\nb:{KEY}AAAA", "line 3"),
        (f"a:{KEY}\na:{OTHER}", "line 2"),
    ],
)
def test_malformed_keys_are_told_by_line_and_never_shown(text: str, message: str) -> None:
    """The error holds no part of any key, in its causes neither."""
    with pytest.raises(VaultKeyError, match=message) as caught:
        keys_from_text(text)

    error: BaseException | None = caught.value
    while error is not None:
        assert not any(part in f"{error} {error!r}" for part in (KEY[:8], OTHER[:8], "planted"))
        error = error.__cause__ or error.__context__


@given(text=st.text())
def test_any_text_is_keys_or_a_clear_refusal(text: str) -> None:
    """Whatever stands in the file or the environment."""
    with contextlib.suppress(VaultKeyError):
        assert keys_from_text(text).by_id


def test_new_keys_are_random_and_whole() -> None:
    """Each has its own id and 32 bytes."""
    made = [new_keys() for _ in range(2)]

    assert 2 == len({keys.sealing for keys in made}) == len({keys.by_id[keys.sealing] for keys in made})
    assert all(KEY_BYTES == len(keys.by_id[keys.sealing]) for keys in made)
