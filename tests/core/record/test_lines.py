"""Reading and writing the lines of a record (`record.md`, Lines in)."""

import json
import pickle

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.core.errors import CompanionError, Malformed
from companion.core.panel import Colour
from companion.core.record.faults import is_rfc3339
from companion.core.record.lines import (
    LONGEST_LINE,
    STANDARD_LINES,
    Answer,
    Anticipation,
    Close,
    End,
    Event,
    Evidence,
    JudgeLine,
    Line,
    MalformedLine,
    Moved,
    Names,
    PressLine,
    Protest,
    Remark,
    Restart,
    Reveal,
    Seal,
    Seat,
    Setup,
    Sign,
    Undo,
    dump_line,
    parse_line,
)
from companion.core.words.encoding import encode
from companion.games.apache.cards import Role
from companion.games.apache.lines import Claim
from tests.replay.generate import random_match

CLAIMS = (Claim,)
SETUP = (
    '{"type":"setup","record":2,"match":"00000000000000000000000000000000","game":"apache","edition":1,"seats":[{"colour":"red"},'
    '{"colour":"blue","allowance_ms":150}],"first":"red","variants":["wedding"],"dead_heat":"clockwise"}'
)
PRESS = '{"type":"press","colour":"red","role":"hunter","t_ns":7431000000,"error_ns":20000}'
SHA = "0123456789abcdef" * 4
KEY = "A" * 42 + "A="
SIGNATURE = "a/" * 42 + "+g=="
CONDITIONS = {
    "software": "table-companion 0.3.0",
    "box": "a3f09c",
    "window_ms": 3000,
    "late_ms": 1000,
    "seats": {"red": {"bounce_ms": 20, "accept_ms": 2, "repeat_ms": 0, "extension_ms": 500, "input": ["panel", "pod"]}},
    "settle_ms": 2,
    "chatter_hz": 200,
    "confirmed": ["red"],
    "sources": [{"name": "gpiod", "delay_ms": 5, "error_us": 20, "certificate": SHA}],
}
RICH_SETUP = json.dumps(
    {
        **json.loads(SETUP),
        "seed": "3f09",
        "anticipation": {"rule": "punish", "ms": 100},
        "timing": "untimed",
        "event": {"id": "spring", "round": 2, "table": 7, "sheet": SHA},
        "conditions": CONDITIONS,
    }
)
NEW_SAMPLES = {
    '{"type":"names","names":{"red":"Ann","blue":""}}': Names(names={Colour.RED: "Ann", Colour.BLUE: ""}),
    '{"type":"reveal","card":"buffalo","t_ns":5,"turned":true}': Reveal(card="buffalo", t_ns=5, turned=True),
    f'{{"type":"evidence","race":3,"sha256":"{SHA}","edges":0}}': Evidence(race=3, sha256=SHA, edges=0),
    '{"type":"protest","colour":"red"}': Protest(colour=Colour.RED),
    '{"type":"protest","colour":"red","race":1,"text":"I was first"}': Protest(
        colour=Colour.RED, race=1, text="I was first"
    ),
    '{"type":"answer","protest":9,"text":"no","stands":true,"by":"Ann"}': Answer(
        protest=9, text="no", stands=True, by="Ann"
    ),
    '{"type":"sign","colour":"red"}': Sign(colour=Colour.RED),
    f'{{"type":"moved","box":"b2","key":"{KEY}","previous":"{SHA}"}}': Moved(box="b2", key=KEY, previous=SHA),
    f'{{"type":"seal","sha256":"{SHA}","key":"{KEY}","signature":"{SIGNATURE}"}}': Seal(
        sha256=SHA, key=KEY, signature=SIGNATURE
    ),
    '{"type":"restart"}': Restart(),
}
SAMPLES = NEW_SAMPLES | {
    SETUP: Setup(
        record=2,
        match="0" * 32,
        game="apache",
        edition=1,
        seats=(Seat(Colour.RED), Seat(Colour.BLUE, allowance_ms=150)),
        first=Colour.RED,
        variants=("wedding",),
        dead_heat="clockwise",
    ),
    '{"type":"reveal","card":"red hunter","t_ns":5}': Reveal(card="red hunter", t_ns=5),
    '{"type":"reveal","card":"buffalo"}': Reveal(card="buffalo"),
    PRESS: PressLine(colour=Colour.RED, role=Role.HUNTER, t_ns=7431000000, error_ns=20000),
    '{"type":"close","t_ns":10412000000}': Close(t_ns=10412000000),
    '{"type":"judge"}': JudgeLine(),
    '{"type":"claim","colour":"red","take":"booty","prisoner":"green warrior"}': Claim(
        colour=Colour.RED, take="booty", prisoner="green warrior"
    ),
    '{"type":"claim","colour":"red","take":"wedding","spouse":"green maiden"}': Claim(
        colour=Colour.RED, take="wedding", spouse="green maiden"
    ),
    '{"type":"end"}': End(),
    '{"type":"remark","text":"lid: open \\u00e4 \\ud83d\\ude00","source":"gpiod"}': Remark(
        text="lid: open ä 😀", source="gpiod"
    ),
    '{"type":"undo","reason":"wrong card","by":"Ann"}': Undo(reason="wrong card", by="Ann"),
    '{"type":"judge","wall":"2025-03-01T19:30:00.250+01:00"}': JudgeLine(wall="2025-03-01T19:30:00.250+01:00"),
}


@pytest.mark.parametrize("text", SAMPLES)
def test_every_line_type_is_read_from_bytes_and_from_text(text):
    assert parse_line(text.encode(), 1, CLAIMS) == parse_line(text, 1, CLAIMS) == SAMPLES[text]


@pytest.mark.parametrize("text", SAMPLES)
def test_what_is_written_is_one_line_and_reads_the_same(text):
    written = dump_line(SAMPLES[text])
    assert b"\n" not in written
    assert json.loads(written) == json.loads(text)
    assert parse_line(written, 1, CLAIMS) == SAMPLES[text]


def test_all_that_a_setup_may_say_is_read():
    setup = parse_line(RICH_SETUP, 1)
    assert isinstance(setup, Setup)
    assert (setup.seed, setup.timing) == ("3f09", "untimed")
    assert setup.anticipation == Anticipation("punish", 100)
    assert setup.event == Event("spring", 2, 7, SHA)
    assert json.loads(dump_line(setup)) == json.loads(RICH_SETUP)


def nested(text: str, name: str, **changes) -> str:
    """Give a line whose object `name` has other fields; None takes one out."""
    fields = json.loads(text)
    changed = {key: value for key, value in {**fields[name], **changes}.items() if value is not None}
    return json.dumps({**fields, name: changed})


@pytest.mark.parametrize("ending", ["\n", "\r\n", " \n", ""])
def test_ends_of_line_and_spaces_do_not_matter(ending):
    spaced = PRESS.replace(",", " , ").replace(":", " : ")
    assert parse_line(f"  {spaced}{ending}", 1) == parse_line(PRESS, 1)


def test_fields_may_come_in_any_order():
    fields = json.loads(PRESS)
    turned = json.dumps(dict(reversed(fields.items())))
    assert parse_line(turned, 1) == parse_line(PRESS, 1)


def test_defaults_may_be_written_out():
    press = parse_line('{"type":"press","colour":"red","role":"chief","t_ns":1,"error_ns":0}', 1)
    assert isinstance(press, PressLine)
    assert press.error_ns == 0


def with_field(text: str, **changes) -> str:
    return json.dumps({**json.loads(text), **changes})


FAULTS = {
    "": "the line is blank",
    "  \n": "the line is blank",
    "\ufeff" + PRESS: "byte order mark",
    "[]": r"one JSON object; this is \[\]",
    "7": "one JSON object; this is 7",
    '"judge"': "one JSON object; this is 'judge'",
    "null": "one JSON object; this is null",
    "{}": "field `type` is missing",
    '{"type":"foo"}': "field `type`: 'foo' is not a line of a record; allowed: setup, names, reveal, press, close",
    '{"type":5}': "field `type`: 5 is not a line",
    '{"type":["end"]}': "field `type`: ",
    '{"type":"end"} {}': "not JSON: Extra data at character 16",
    '{"type":"end",}': "not JSON: .* at character 1[45]",
    '{"type":"end"': "not JSON: .* at character 14",
    "{'type':'end'}": "not JSON: .* at character 2",
    '{"type":"remark","text":"a\x01b"}': "not JSON: Invalid control character",
    '{"type":"remark",\n"text":"a"}': "an end of line in the middle",
    '{"type":"end","type":"end"}': "field `type` stands there twice",
    '{"type":"end","type":"judge"}': "field `type` stands there twice",
    PRESS.replace('"error_ns"', '"t_ns"'): "field `t_ns` stands there twice",
    '{"type":"remark","text":"\\u003a","text":"x"}': "field `text` stands there twice",
    '{"type":"end","wall":"2025-03-01T19\\u003a30:00Z","wall":"2025-03-01T19:30:00Z"}': "field `wall` stands",
    SETUP.replace('"allowance_ms":150', '"colour":"red"'): "field `colour` stands there twice",
    with_field(PRESS, foo=1): "unknown field `foo`; allowed: .*colour, role, t_ns, error_ns",
    '{"type":"end","t_ns":1}': "unknown field `t_ns`; allowed: wall",
    with_field(
        PRESS, colour="pink"
    ): "field `colour`: 'pink' is not a colour; allowed: red, yellow, green, blue, purple",
    with_field(PRESS, colour="Red"): "field `colour`: 'Red' is not a colour",
    with_field(PRESS, colour=3): "field `colour`: 3 is not a colour",
    with_field(PRESS, t_ns=1.0): r"field `t_ns`: 1\.0 is not an integer from 0 to 9223372036854775807",
    with_field(PRESS, t_ns=True): "field `t_ns`: true is not an integer",
    with_field(PRESS, t_ns="5"): "field `t_ns`: '5' is not an integer",
    with_field(PRESS, t_ns=-1): "field `t_ns`: -1 is not an integer from 0",
    with_field(PRESS, t_ns=2**63): "field `t_ns`: 9223372036854775808 is not an integer",
    with_field(PRESS, t_ns=10**30): "field `t_ns`: 1000000",
    with_field(PRESS, t_ns=None): "field `t_ns`: null is no value; leave the field out",
    with_field(PRESS, error_ns=None): "field `error_ns`: null is no value; leave the field out",
    '{"type":"reveal","card":"buffalo","t_ns":null}': "field `t_ns`: null is no value; leave the field out",
    '{"type":"claim","colour":"red","take":"booty","prisoner":null}': "field `prisoner`: null is no value",
    '{"type":"end","wall":null}': "field `wall`: null is no value",
    '{"type":"end","wall":"x","wall":"2025-03-01T19\\u003a30:00Z"}': "field `wall` stands there twice",
    with_field(PRESS, t_ns=float("nan")): "not JSON: NaN is not a number",
    with_field(PRESS, t_ns=float("-inf")): "not JSON: -Infinity is not a number",
    PRESS.replace("7431000000", "7e9"): "field `t_ns`: 7000000000.0 is not an integer",
    PRESS.replace("7431000000", "1e999"): "field `t_ns`: Infinity is not an integer",
    PRESS.replace("7431000000", "9" * 5000): "field `t_ns`: 9999",
    PRESS.replace("7431000000", "[1]"): r"field `t_ns`: \[1\] is not an integer",
    PRESS.replace(',"t_ns":7431000000', ""): "field `t_ns` is missing",
    '{"type":"remark","text":5}': "field `text`: 5 is not a text",
    '{"type":"remark","text":"\\ud800"}': "field `text`: half of a surrogate pair",
    '{"type":"remark","text":"\\ud800x"}': "field `text`: half of a surrogate pair",
    '{"type":"remark","text":"\\udc00\\ud800"}': "field `text`: half of a surrogate pair",
    '{"type":"remark","text":"a","\\ud800":1}': "a field's name: half of a surrogate pair",
    '{"type":"remark","text":"\ud800"}': "half of a surrogate pair",
    with_field(SETUP, seats="red"): "field `seats`: 'red' is not a list",
    with_field(SETUP, seats=["red"]): r"field `seats\[0\]`: 'red' is not an object",
    with_field(
        SETUP, seats=[{"colour": "red"}, {"colour": "pink"}]
    ): r"field `seats\[1\]\.colour`: 'pink' is not a col",
    with_field(SETUP, seats=[{}]): r"field `seats\[0\]\.colour` is missing",
    with_field(SETUP, seats=[{"colour": "red", "hat": 1}]): r"unknown field `seats\[0\]\.hat`; allowed: colour, all",
    with_field(SETUP, seats=[{"colour": "red", "type": 1}]): r"unknown field `seats\[0\]\.type`",
    with_field(
        SETUP, seats=[{"colour": "red", "allowance_ms": -1}]
    ): r"`seats\[0\]\.allowance_ms`: -1 is not an integer",
    with_field(
        SETUP, seats=[{"colour": "red", "allowance_ms": 60_001}]
    ): r"`seats\[0\]\.allowance_ms`: 60001 is not an integer from 0 to 60000",
    with_field(SETUP, seats=[{"colour": "red", "name": "Ann"}]): r"unknown field `seats\[0\]\.name`",
    with_field(SETUP, seats=[{"colour": "red", "allowance_ms": None}]): "field `allowance_ms`: null is no value",
    with_field(SETUP, variants="wedding"): "field `variants`: 'wedding' is not a list",
    with_field(SETUP, variants=[1]): r"field `variants\[0\]`: 1 is not a text",
    with_field(SETUP, variants=["\ud800"]): "field `variants`: half of a surrogate pair",
    with_field(SETUP, variants=[None]): r"field `variants\[0\]`: null is not a text",
    with_field(SETUP, dead_heat="coin"): "field `dead_heat`: 'coin' is not one of: clockwise, lots, timestamp",
    with_field(RICH_SETUP, seed=""): r"field `seed`: '' is not a text of the form \^\[0-9a-f\]\{1,64\}$",
    with_field(RICH_SETUP, seed="0" * 65): "field `seed`: '000",
    with_field(RICH_SETUP, seed="0f\n"): "field `seed`: '0f",
    with_field(RICH_SETUP, seed="0F"): "field `seed`: '0F'",
    with_field(RICH_SETUP, timing="slow"): "field `timing`: 'slow' is not one of: race, untimed",
    nested(RICH_SETUP, "anticipation", ms=0): r"field `anticipation\.ms`: 0 is not an integer from 1 to 1000",
    nested(RICH_SETUP, "anticipation", ms=1001): r"field `anticipation\.ms`: 1001 is not",
    nested(RICH_SETUP, "anticipation", rule="warn"): r"field `anticipation\.rule`: 'warn' is not one of: flag, punish",
    nested(RICH_SETUP, "anticipation", rule=None): r"field `anticipation\.rule` is missing",
    nested(RICH_SETUP, "event", sheet="00"): r"field `event\.sheet`: '00' is not a text of the form",
    nested(RICH_SETUP, "event", hall="B"): r"unknown field `event\.hall`; allowed: id, round, table, sheet",
    nested(RICH_SETUP, "conditions", box=None): r"field `conditions\.box` is missing",
    nested(RICH_SETUP, "conditions", seats={"pink": {}}): r"field `conditions\.seats`: 'pink' is not a colour",
    nested(RICH_SETUP, "conditions", seats={"red": {}}): r"field `conditions\.seats\.red\.bounce_ms` is missing",
    nested(RICH_SETUP, "conditions", seats=[]): r"field `conditions\.seats`: \[\] is not an object",
    nested(RICH_SETUP, "conditions", confirmed=["pink"]): r"field `conditions\.confirmed\[0\]`: 'pink' is not a colour",
    with_field(SETUP, conditions={**CONDITIONS, "sources": [{"name": "x"}]}): r"sources\[0\]\.delay_ms` is missing",
    '{"type":"names","names":{"pink":"Ann"}}': "field `names`: 'pink' is not a colour",
    '{"type":"names","names":{"red":5}}': r"field `names\.red`: 5 is not a text",
    '{"type":"names","names":{"red":"Ann","red":"Bob"}}': "field `red` stands there twice",
    '{"type":"names"}': "field `names` is missing",
    '{"type":"reveal","card":"x","turned":true}': "field `turned`: it stands only with `t_ns`",
    '{"type":"reveal","card":"x","t_ns":1,"turned":false}': "field `turned`: it is true, or left out",
    '{"type":"reveal","card":"x","t_ns":1,"turned":1}': "field `turned`: 1 is not true or false",
    f'{{"type":"evidence","race":0,"sha256":"{SHA}","edges":1}}': "field `race`: 0 is not an integer from 1 on",
    f'{{"type":"evidence","race":1,"sha256":"{SHA}0","edges":1}}': "field `sha256`: ",
    f'{{"type":"evidence","race":1,"sha256":"{SHA}","edges":-1}}': "field `edges`: -1 is not an integer from 0",
    '{"type":"answer","protest":0,"text":"x","stands":true}': "field `protest`: 0 is not an integer from 1 on",
    '{"type":"answer","protest":1,"text":"x"}': "field `stands` is missing",
    '{"type":"answer","protest":1,"text":"x","stands":"yes"}': "field `stands`: 'yes' is not true or false",
    f'{{"type":"moved","box":"b","key":"{KEY[:-1]}","previous":"{SHA}"}}': "field `key`: 'AAA",
    f'{{"type":"seal","sha256":"{SHA}","key":"{KEY[:-2]}B=","signature":"{SIGNATURE}"}}': "field `key`: 'AAA",
    f'{{"type":"seal","sha256":"{SHA}","key":"{KEY}","signature":"{KEY}"}}': "field `signature`: ",
    '{"type":"restart","t_ns":1}': "unknown field `t_ns`; allowed: wall",
    with_field(SETUP, record="1"): "field `record`: '1' is not an integer",
    with_field(SETUP, edition=0): "field `edition`: 0 is not an integer from 1 on",
    with_field(SETUP, first=None): "field `first`: null is no value",
    with_field('{"type":"end"}', wall="yesterday"): "field `wall`: 'yesterday' is no time of RFC 3339, such as 2025-",
    with_field('{"type":"end"}', wall=5): "field `wall`: 5 is not a text",
    '{"type":"remark","text":' + "[" * 100_000: "nested too deeply|not JSON|not a text",
    '{"type":"remark","text":"' + "x" * LONGEST_LINE + '"}': "longer than 1048576 bytes",
    with_field(PRESS, **{"x\n\x1b[31m" + "y" * 200: 1}): r"unknown field `x\\n\\x1b\[31my+…`",
}


@pytest.mark.parametrize("text", FAULTS, ids=lambda text: repr(text[:50]))
def test_fault_names_the_field_and_what_would_be_right(text):
    with pytest.raises(MalformedLine, match=FAULTS[text]) as caught:
        parse_line(text, 12)
    assert caught.value.number == 12
    assert str(caught.value) == f"line 12: {caught.value.reason}"
    assert len(caught.value.reason) < 400


@pytest.mark.parametrize(
    ("octets", "message"),
    [
        (b'{"type":"remark","text":"\xff"}', "not UTF-8: invalid start byte at byte 26"),
        (b'{"type":"remark","text":"\xed\xa0\x80"}', "not UTF-8: invalid continuation byte at byte 26"),
        (b"\xff\xfe{\x00", "not UTF-8"),
        (b"\xef\xbb\xbf" + PRESS.encode(), "byte order mark"),
        (b"\x00", "not JSON"),
    ],
)
def test_bytes_that_are_not_utf8_are_named(octets, message):
    with pytest.raises(MalformedLine, match=message):
        parse_line(octets, 1)


def test_malformed_is_a_value_error_of_this_package_and_survives_pickling():
    with pytest.raises(Malformed) as caught:
        parse_line("x", 3)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, CompanionError)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.number, str(again)) == (3, str(caught.value))


@pytest.mark.parametrize(
    "wall",
    [
        "2025-03-01T19:30:00Z",
        "2025-03-01t19:30:00z",
        "2024-02-29T00:00:00+14:00",
        "2016-12-31T23:59:60Z",
        "2025-03-01T19:30:00.123456789-00:00",
        "0000-02-29T00:00:00Z",
    ],
)
def test_wall_is_rfc_3339(wall):
    assert is_rfc3339(wall)
    assert parse_line(with_field(PRESS, wall=wall), 1).wall == wall


@pytest.mark.parametrize(
    "wall",
    [
        "",
        "2025-03-01",
        "2025-03-01 19:30:00Z",
        "2025-03-01T19:30:00",
        "2025-03-01T19:30Z",
        "2025-02-29T00:00:00Z",
        "2025-13-01T00:00:00Z",
        "2025-04-31T00:00:00Z",
        "2025-04-00T00:00:00Z",
        "2025-03-01T24:00:00Z",
        "2025-03-01T19:60:00Z",
        "2025-03-01T19:30:61Z",
        "2025-03-01T19:30:00.Z",
        "2025-03-01T19:30:00+24:00",
        "2025-03-01T19:30:00Z\n",
        "٢٠٢٥-03-01T19:30:00Z",
    ],
)
def test_wall_that_is_not_rfc_3339_is_malformed(wall):
    assert not is_rfc3339(wall)
    with pytest.raises(MalformedLine, match="field `wall`"):
        parse_line(with_field(PRESS, wall=wall), 1)


class Bid(Line, frozen=True, tag="bid"):
    amount: int


def test_a_game_may_have_lines_of_its_own():
    line = parse_line('{"type":"bid","amount":3}', 1, (Bid,))
    assert line == Bid(amount=3)
    assert parse_line(dump_line(line), 1, (Bid,)) == line
    with pytest.raises(MalformedLine, match=r"'bid' is not a line of a record"):
        parse_line('{"type":"bid","amount":3}', 1)
    with pytest.raises(MalformedLine, match=r"field `amount`: 'x' is not an integer$"):
        parse_line('{"type":"bid","amount":"x"}', 1, (Bid,))


class Odds(Line, frozen=True, tag="odds"):
    value: float


def test_a_fault_that_only_the_decoder_can_name_is_named_in_its_words():
    with pytest.raises(MalformedLine, match=r"Expected `float`, got `str` - at `\$\.value`"):
        parse_line('{"type":"odds","value":"x"}', 1, (Odds,))


def test_a_text_that_is_not_unicode_cannot_be_written():
    with pytest.raises(Malformed, match="cannot be written as UTF-8"):
        dump_line(Remark(text="\ud800"))


def test_the_line_types_of_the_format_are_all_there():
    tags = [line.__struct_config__.tag for line in STANDARD_LINES]
    assert tags == [
        "setup", "names", "reveal", "press", "close", "judge", "end", "chance", "open", "by_hand", "restart",
        "remark", "evidence", "protest", "answer", "sign", "moved", "seal", "undo",
    ]  # fmt: skip


MATCH_LINES = [line for seed in range(3) for line in random_match(seed)]
JUNK = st.sampled_from(
    [b"", b"\x00", b"\xff", b'"', b",", b"{", b"}", b"[", b":", b"\\u", b"1e9", b"null", b"-", b"\n"]
)


def _without_defaults(value):
    """What was read is what stood there, but for fields that say what holds without them."""
    if isinstance(value, dict):
        defaults = {"error_ns": 0, "allowance_ms": 0, "dead_heat": "timestamp", "timing": "race"}
        return {key: _without_defaults(item) for key, item in value.items() if defaults.get(key) != item}
    return [_without_defaults(item) for item in value] if isinstance(value, list) else value


def read_or_malformed(octets: bytes) -> None:
    try:
        line = parse_line(octets, 1)
    except MalformedLine:
        return
    assert parse_line(dump_line(line), 1) == line
    fields = json.loads(octets)
    written = json.loads(encode(line))
    assert _without_defaults(fields) == _without_defaults(written)


@given(st.binary(max_size=200))
@example(b"\xef\xbb\xbf")
def test_fuzz_random_bytes_give_malformed_and_nothing_else(octets):
    read_or_malformed(octets)


@given(st.data())
def test_fuzz_mutated_lines_give_malformed_and_nothing_else(data):
    octets = data.draw(st.sampled_from([*MATCH_LINES, *(text.encode("utf-8", "surrogatepass") for text in SAMPLES)]))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(octets)))
        end = data.draw(st.integers(start, min(len(octets), start + 8)))
        octets = octets[:start] + data.draw(JUNK | st.binary(max_size=4)) + octets[end:]
    read_or_malformed(octets)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.sampled_from(sorted(SAMPLES)), st.data())
def test_fuzz_any_json_value_in_any_field_gives_malformed_and_nothing_else(text, data):
    fields = json.loads(text)
    fields[data.draw(st.sampled_from(sorted(fields)) | st.text(max_size=5))] = data.draw(JSON_VALUES)
    read_or_malformed(json.dumps(fields).encode())
