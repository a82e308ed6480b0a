"""Masking and escaping twice changes nothing, and what must not be shown is gone."""

from hypothesis import given
from hypothesis import strategies as st

from seenbefore.redact import escape_control, has_secret, mask_secrets

PIECES = st.sampled_from(
    [
        "https://", "http:", "//", "/", "\\", "@", ":", "?", "&", "#", ";", "=", "%3F", "%26",
        "%3D", "%25", " ", "token", "key", "sid", "x-amz-a", "***", "&amp;", '"', "<", "a", "7",
        "東", "\n", "\u202e", "\x1b[",
    ]
)  # fmt: skip
IN_A_VALUE = st.characters(exclude_characters='&#<>"', exclude_categories=["Z", "C"])
ADDRESS_LIKE = st.lists(PIECES, max_size=25).map("".join)


@given(st.one_of(st.text(), ADDRESS_LIKE))
def test_twice_is_once(text: str) -> None:
    masked = mask_secrets(text)
    assert mask_secrets(masked) == masked
    escaped = escape_control(text)
    assert escape_control(escaped) == escaped


@given(st.text())
def test_escaped_text_is_one_line_that_can_be_written(text: str) -> None:
    escaped = escape_control(text)
    escaped.encode("utf-8")
    assert len(escaped.splitlines()) <= 1
    assert not any(ord(char) < 0x20 or 0x7F <= ord(char) <= 0x9F for char in escaped)


@given(st.one_of(st.text(), ADDRESS_LIKE))
def test_a_masked_address_has_no_secret(text: str) -> None:
    assert not has_secret(mask_secrets(text))


@given(
    name=st.sampled_from(["token", "API_KEY", "password", "X-Amz-Signature", "client-secret", "key", "sid"]),
    value=st.text(alphabet=IN_A_VALUE, min_size=1),
    rest=st.sampled_from(["", "&id=7", "#top"]),
)
def test_no_part_of_a_secret_is_left(name: str, value: str, rest: str) -> None:
    assert mask_secrets(f"see https://example.com/a?b=1&{name}={value}{rest}") == (
        f"see https://example.com/a?b=1&{name}=***{rest}"
    )


@given(st.text(alphabet=st.characters(exclude_characters="/\\?#", exclude_categories=["Z", "C"]), min_size=1))
def test_no_part_of_the_credentials_is_left(user: str) -> None:
    assert mask_secrets(f"https://{user}@example.com/a") == "https://***@example.com/a"


@given(st.one_of(st.text(), ADDRESS_LIKE).map(lambda text: text.translate(str.maketrans("", "", "@=%"))))
def test_without_these_marks_there_is_nothing_to_hide(text: str) -> None:
    """Which is why an address without them is not looked at any closer."""
    assert mask_secrets(text) == text
    assert not has_secret(text)
