from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import service_client as sc
from service_client.plans import Credentials
from service_client.plans.credentials import encode_user_id

PRINTABLE = "".join(map(chr, range(33, 127)))
USER_IDS = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=256)

# The first is case 2 of RFC 4231, the others were computed with `openssl dgst -sha256 -hmac`.
VECTORS = [
    ("what do ya want for nothing?", "Jefe", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    ("Zoë", "sécret", "f2e59748d940cadcc59147bb0306b80afc37daccb240b49675f53bdebc63711b"),
    ("日本 100%", "k", "74d537429300e6fc3e0e41f26a2caa70f5fbf200221df317ab298111fe632fe1"),
]


@pytest.mark.parametrize(("user_id", "secret", "expected"), VECTORS)
def test_sign_matches_published_vectors(user_id: str, secret: str, expected: str) -> None:
    """The hash is HMAC-SHA256 keyed with the secret over the User-ID, in hexadecimal."""
    assert expected == sc.sign(user_id, secret)


@given(USER_IDS)
def test_a_user_id_arrives_as_it_was(user_id: str) -> None:
    """The header is ASCII without an outer space, and one of its two readings is the User-ID."""
    sent = encode_user_id(user_id)

    assert sent.isascii()
    assert sent.isprintable()
    assert sent == sent.strip()
    assert user_id in (sent, unquote(sent))


@pytest.mark.parametrize(
    ("user_id", "expected"),
    [
        ("ann", "ann"),
        ("a b", "a b"),
        ("50%", "50%"),
        ("%41", "%41"),
        (" a", "%20a"),
        ("a ", "a%20"),
        ("é%", "%C3%A9%25"),
        ("é/a@b", "%C3%A9%2Fa%40b"),
    ],
)
def test_a_user_id_is_encoded_only_where_a_header_cannot_carry_it(user_id: str, expected: str) -> None:
    """Plain ASCII goes as it is; else the whole value is encoded, percent signs included."""
    assert expected == encode_user_id(user_id)


WRONG_USERS = ("", "a" * 257, "a\nb", "a\x85b", "\ud800", None)
WRONG_URLS = (
    *("", "service.test", "ftp://service.test", "http://", "http://service.test:port", "http://[::1"),
    *("http://user:pass@service.test", "http://service.test?x=1", "http://service.test#x", "http://service.test/a b"),
)


@pytest.mark.parametrize(
    "changed",
    [
        *({"user_id": each} for each in WRONG_USERS),
        *({"user_id": each, "hash": None, "secret": "s"} for each in ("a\nb", "\ud800")),
        *({"app_key": each} for each in (None, "", "a\r\nb", "é")),
        *({"hash": each} for each in (None, "0" * 63, "g" * 64)),
        {"hash": None, "secret": ""},
        {"secret": "s"},
        {"token": "t"},
        {"hash": None, "secret": "s", "token": "t"},
        *({"base_url": each} for each in WRONG_URLS),
        *({"timeout": each} for each in (0, float("nan"))),
        {"retries": -1},
    ],
    ids=repr,
)
def test_a_client_that_cannot_work_is_not_made(driver: Any, changed: dict[str, Any]) -> None:
    """Wrong settings fail at once, as a `ValueError` too, and before anything is sent."""
    works = {"base_url": "http://service.test", "app_key": "key", "user_id": "ann", "hash": "0" * 64}
    with pytest.raises(sc.InvalidArgumentError) as caught:
        driver.client_type(**{**works, **changed})

    assert isinstance(caught.value, ValueError)


SECRETS = {"hash": "ab" * 32, "secret": "very secret", "token": "tok-en"}


@pytest.mark.parametrize(("name", "value"), SECRETS.items())
def test_no_repr_shows_a_secret(driver: Any, name: str, value: str) -> None:
    """Neither the client nor what it is made of shows hash, secret or token when printed."""
    seen: list[Any] = []

    def handler(request: Any) -> Any:
        seen.append(request)
        raise sc.ServiceTimeoutError("late")

    given_options = {"app_key": "key", "user_id": "ann", name: value, "transport": driver.memory(handler)}
    client = driver.client_type("http://service.test", **given_options)
    with pytest.raises(sc.ServiceTimeoutError):
        driver.run("http://service.test", lambda client: client.apps.get("desk"), **given_options)

    texts = [repr(client), repr(client._session.settings), repr(client.apps._session), repr(seen[0]), str(vars(client))]
    hash_of_secret = sc.sign("ann", "very secret")
    for text in texts:
        assert value not in text
        assert hash_of_secret not in text
    assert "http://service.test" in repr(client)


@given(st.tuples(st.text(max_size=15), st.characters(exclude_characters=PRINTABLE), st.text(max_size=15)).map("".join))
@example("")
def test_a_token_that_could_split_headers_is_refused_without_being_shown(token: str) -> None:
    """A token goes into a header only as printable ASCII, and an error never repeats it."""
    with pytest.raises(sc.InvalidArgumentError) as caught:
        Credentials().headers(token)

    assert str(caught.value) == "token must be printable ASCII without spaces, and not empty."
