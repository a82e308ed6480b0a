"""Item lists: what each field may hold, and what is told about a bad line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

import pytest

from seenbefore.errors import InvalidItem
from seenbefore.itemjson import item_from_mapping, item_to_mapping
from seenbefore.model import DateEvidence, Enclosure, Item, Kind, Precision
from seenbefore.sources.items import LineError, parse_item, read_items, read_numbered


def parse(**fields: object) -> Item:
    return parse_item({"url": "https://example.com/a", **fields}, source="list", where="here")


def test_every_field() -> None:
    item = parse_item(
        {
            "id": 7,
            "kind": "image",
            "source": "own",
            "fetch_id": "f1",
            "guid": 12,
            "url": " https://example.com/a ",
            "final_url": "https://example.com/b",
            "canonical": "https://example.com/c",
            "title": "題名",
            "summary": "s",
            "content": "c",
            "authors": "Edda",
            "published": "2024-05-01",
            "modified": 1714523400,
            "posted_at": "2024-05-02T10:00:00.5+02:00",
            "observed_at": "Wed, 01 May 2024 09:30:00 GMT",
            "language": "ja",
            "ids": {"doi": "doi:10.1234/ABC", "number": 5, "none": None},
            "enclosures": [
                "https://e.example/1.mp3",
                {"url": "https://e.example/2.mp3", "length": 5, "duration": 6.7},
            ],
            "images": ["https://e.example/p.jpg", ""],
            "redirects": [["https://a.example/", "https://b.example/"]],
            "rank": 3,
            "extra": {"tags": ["x"], "rank": 4},
        },
        source="list",
        where="here",
    )
    assert item == Item(
        source="own",
        kind=Kind.IMAGE,
        external_id="7",
        fetch_id="f1",
        guid="12",
        original_url="https://example.com/a",
        final_url="https://example.com/b",
        canonical="https://example.com/c",
        title="題名",
        summary="s",
        content="c",
        authors=("Edda",),
        published=DateEvidence("published", "2024-05-01", datetime(2024, 5, 1, tzinfo=UTC), Precision.DAY),
        modified=DateEvidence(
            "modified", "1714523400", datetime(2024, 5, 1, 0, 30, tzinfo=UTC), Precision.SECOND, None, True
        ),
        posted_at=datetime(2024, 5, 2, 8, 0, 0, 500000, tzinfo=UTC),
        observed_at=datetime(2024, 5, 1, 9, 30, tzinfo=UTC),
        language="ja",
        ids={"doi": "10.1234/abc", "number": "5"},
        enclosures=(Enclosure("https://e.example/1.mp3"), Enclosure("https://e.example/2.mp3", "", 5, 6)),
        images=("https://e.example/p.jpg",),
        redirects=(("https://a.example/", "https://b.example/"),),
        extra={"tags": ["x"], "rank": 4},
    )


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(
            ("id", 1.5),
            ("id", True),
            ("guid", []),
            ("url", 5),
            ("title", {}),
            ("content", ["x"]),
            ("kind", "video"),
        ),
        *(("authors", 5), ("authors", [5]), ("images", {}), ("language", 5), ("source", 5), ("fetch_id", {})),
        *(
            ("published", []),
            ("published", True),
            ("modified", {}),
            ("posted_at", "Monday"),
            ("observed_at", "2024"),
        ),
        *(
            ("observed_at", True),
            ("ids", []),
            ("ids", {"doi": []}),
            ("ids", "x"),
            ("extra", [1]),
            ("extra", "x"),
        ),
        *(("enclosures", 5), ("enclosures", [{"length": 5}]), ("enclosures", [{"url": "u", "length": "5"}])),
        *(("enclosures", [{"url": "u", "duration": -1}]), ("enclosures", [5]), ("redirects", ["x"])),
        *(("redirects", [["a"]]), ("redirects", [["a", 5]]), ("redirects", {}), ("guid_is_permalink", "yes")),
        *(
            ("extra", {"at": datetime(2024, 1, 1, tzinfo=UTC)}),
            ("extra", {"x": float("nan")}),
            ("own", b"bytes"),
        ),
    ],
)
def test_a_wrong_type_is_refused_and_named(field: str, value: object) -> None:
    with pytest.raises(InvalidItem) as caught:
        parse(**{field: value})
    assert caught.value.where == "here"
    assert (field if field != "own" else "extra") in caught.value.message


def test_a_number_that_cannot_be_written_is_refused() -> None:
    for field in ("id", "published", "ids"):
        with pytest.raises(InvalidItem, match="too many digits"):
            parse(**{field: {"n": 10**5000} if field == "ids" else 10**5000})


@pytest.mark.parametrize(
    "name", ["id", "title", "authors", "published", "posted_at", "ids", "redirects", "extra", "kind"]
)
def test_null_is_an_absent_field(name: str) -> None:
    assert parse(**{name: None}) == parse()


@pytest.mark.parametrize("fields", [{"url": "u"}, {"guid": 0}, {"title": "t"}])
def test_one_of_url_guid_and_title_is_enough(fields: dict[str, object]) -> None:
    assert parse_item(fields, source="list", where="").source == "list"


@pytest.mark.parametrize("fields", [{}, {"url": " "}, {"title": "\n"}, {"summary": "s", "final_url": "u", "id": 5}])
def test_nothing_that_identifies_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(InvalidItem, match="url, guid and title"):
        parse_item(fields, source="list", where="")


def test_a_source_is_needed() -> None:
    with pytest.raises(InvalidItem, match="source"):
        parse_item({"url": "u"}, source=None, where="")


def test_an_unknown_publication_date_is_kept_as_it_is() -> None:
    published = parse(published="Monday").published
    assert published == DateEvidence("published", "Monday")


def test_programs_may_pass_datetimes() -> None:
    tokyo = timezone(timedelta(hours=9))
    at = datetime(2024, 5, 1, 9, 0, 0, 250000, tzinfo=tokyo)
    item = parse(published=at, observed_at=at, posted_at=datetime(2024, 5, 1))
    assert item.observed_at == at
    assert item.published_at == at.replace(microsecond=0)
    assert item.posted_at == datetime(2024, 5, 1, tzinfo=UTC)


def test_what_no_database_takes_is_replaced() -> None:
    item = parse(title="a\0b\ud800", authors=["\udfff"], x={"y\0": ["\ud83d"]}, ids={"k": "\0"})
    text = json.dumps(item_to_mapping(item), ensure_ascii=False)
    assert item.title == "a\ufffdb\ufffd"
    assert "\0" not in text
    text.encode("utf-8")


def test_bad_lines_are_told_by_number_and_the_rest_is_read() -> None:
    lines = [
        b"\xef\xbb\xbf" + b'{"title": "one"}\n',
        b"\n",
        b"{oops\n",
        b'{"title": "\xff"}\n',
        b'{"title": "x", "score": NaN}\n',
        b'{"title": "x", "score": 1e999}\n',
        b'["title"]\n',
        b'{"summary": "only"}\n',
        b"[" * 5000 + b"\n",
        b"   \n",
        '{"title": "\u2028 one line"}\n'.encode(),
    ]
    read = list(read_numbered(lines, source="list", where="a.jsonl"))
    errors = {number: item.code for number, item in read if isinstance(item, LineError)}
    assert [item.title for _, item in read if isinstance(item, Item)] == ["one", "\u2028 one line"]
    assert errors == dict.fromkeys((3, 4, 5, 6, 9), "invalid_json") | dict.fromkeys((7, 8), "invalid_item")
    assert all(number == item.line for number, item in read if isinstance(item, LineError))


def test_lines_are_read_one_at_a_time() -> None:
    taken: list[int] = []

    def endless() -> Iterator[str]:
        for number in range(10**9):
            taken.append(number)
            yield f'{{"title": "{number}"}}'

    reading = read_items(endless(), source="list", where="")
    assert [next(reading), next(reading)] == [Item("list", title="0"), Item("list", title="1")]
    assert taken == [0, 1]


@pytest.mark.parametrize(
    ("document", "titles", "errors"),
    [
        ('[{"title": "a"}, {"title": "b"}]', ["a", "b"], {}),
        ('\n[\n {"title": "a"},\n {"summary": "x"},\n {"title": "b"}\n]\n', ["a", "b"], {4: "invalid_item"}),
        ('[{"title": "a"},\n {"title": oops}]', ["a"], {2: "invalid_json"}),
        ('[{"title": "a"},\n', ["a"], {2: "invalid_json"}),
        ('[{"title": "a"}]\n[{"title": "b"}]', ["a"], {1: "invalid_json"}),
        ("[]", [], {}),
        ("[1, null]", [], {1: "invalid_item"}),
        ('{\n "title": "a"\n}\n', ["a"], {}),
        ('{\n "title": "a"\n}\n{\n "title": "b"\n}', ["a", "b"], {}),
    ],
)
def test_json_documents(document: str, titles: list[str], errors: dict[int, str]) -> None:
    read = list(read_items(document.encode().splitlines(keepends=True), source="list", where="a.json"))
    assert [item.title for item in read if isinstance(item, Item)] == titles
    assert {item.line: item.code for item in read if isinstance(item, LineError)} == errors


def test_a_bad_entry_of_an_array_is_told_by_its_position() -> None:
    document = '[{"title": "a"}, {"title": "b"}, {"summary": "x"}, {"title": "c"}, {"title": oops}]'
    errors = [read for read in read_items([document], source="list", where="a.json") if isinstance(read, LineError)]
    assert [(error.line, error.message.partition(":")[0]) for error in errors] == [
        (1, "entry 3 of the array"),
        (1, "entry 5 of the array"),
    ]
    [alone] = read_items(["{\n", '"summary": "x"\n', "}\n"], source="list", where="a.json")
    assert isinstance(alone, LineError)
    assert "array" not in alone.message


@pytest.mark.parametrize("number", ["7" * 5000, "-" + "7" * 5000, "7" * 5000 + ".5", "1" + "0" * 5000 + "e9"])
@pytest.mark.parametrize("form", ['{{"title": "a", "n": {}}}', '[{{"title": "a", "n": {}}}]'])
def test_a_number_that_is_too_long_is_told_plainly(number: str, form: str) -> None:
    [read] = read_items([form.format(number)], source="list", where="a.json")
    assert isinstance(read, LineError)
    assert read.code == "invalid_json"
    assert f"a number of {len(number.lstrip('-')):,} characters is too long" in read.message
    assert "set_int_max_str_digits" not in read.message
    assert len(read.message) < 200


def test_a_full_item_survives_storage() -> None:
    item = Item(
        source="s",
        kind=Kind.IMAGE,
        guid_is_permalink=False,
        authors=("a",),
        ids={"doi": "10.1/x"},
        enclosures=(Enclosure("u", "t", 0, 0), Enclosure("v")),
        images=("i",),
        redirects=(("a", "b"),),
        published=DateEvidence("pubDate", "x", datetime(2024, 5, 1, tzinfo=UTC), Precision.MINUTE, 0, True),
        modified=DateEvidence("updated", "Monday"),
        observed_at=datetime(2024, 5, 1, 1, 2, 3, 4, tzinfo=UTC),
        extra={"a": [1, {"b": None}]},
    )
    assert item_from_mapping(json.loads(json.dumps(item_to_mapping(item)))) == item
