"""How long anything that is shown stays is a setting: no other constant of time stands where things are shown.

Read from the syntax trees of the core and the screens, and from the pages' scripts. Each exception is named with its
reason; one that is not there any more is told too.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "companion"
ROOMS = ("core/play", "core/hands", "core/shown", "core/match", "core/speech", "core/switches", "screens")
SCRIPTS = PACKAGE / "adapters" / "web" / "static" / "js"

OF_A_HAND = "it tells one gesture from another; how slow a hand may be is a setting of its seat (timing, scanning)"
OF_A_PRESS = "it says which presses count, as the record and its documents have it; nothing is shown for so long"
IS_A_DRAWING = "it is a width in a drawing of past contacts"
IS_A_FORMAT = "it says from when on something is written in another form"
IS_A_PULSE = "a phone trembles so long for one pulse; how fast is offered is a setting of the seat (dwell)"
IS_A_RHYTHM = "a tone, a lamp and a phone have one rhythm for each sign, so that it can be told from the others"
OF_A_TRIAL = "a trial of a hand goes by what the hand does; nothing is shown for so long"
IS_BEHIND = "it is how the page talks with the box; what the page shows does not go by it"

EXCEPTIONS = {
    "core/hands/knob.py: HOLD_NS": OF_A_HAND,
    "core/hands/knob.py: CHORD_LIMIT_NS": OF_A_HAND,
    "core/play/scanning.py: READING_NS": OF_A_PRESS,
    "core/play/scanning.py: TWICE_NS": "a card reader reads one card twice within it",
    "core/play/seating.py: WINDOWS_NS": "these are the windows that the knob offers: what is set is one of them",
    "core/shown/alarms.py: TOO_OFTEN_NS": "for so long it is counted how often an alarm comes and goes",
    "core/shown/timed/ticking.py: TENTHS_BELOW_NS": IS_A_FORMAT,
    "core/shown/times.py: NEVER_NS": "it is never: what stays until it is dismissed",
    "core/switches/ways.py: SHORTEST_NS": "the range of a setting of a seat (dwell)",
    "core/switches/ways.py: LONGEST_NS": "the range of a setting of a seat (dwell)",
    "screens/strip/looks.py: CLOSE_NS": IS_A_DRAWING,
    "screens/strip/looks.py: LEAST_NS": IS_A_DRAWING,
    "screens/strip/looks.py: MAKING_NS": IS_A_DRAWING,
    "screens/strip/looks.py: SHORT_NS": IS_A_DRAWING,
    "screens/strip/looks.py: TOGETHER_NS": IS_A_DRAWING,
    "screens/text/account.py: ANTICIPATED_NS": OF_A_PRESS,
    "buttons/awake.js: FRAME_MS": IS_BEHIND,
    "buttons/panel_link.js: TOO_OLD_MS": OF_A_PRESS,
    "buttons/phone_menu.js: COARSE_MS": IS_A_FORMAT,
    "buttons/trial.js: LOOK_MS": "a trial measures for so long what the screen's controller does",
    "desk/health.js: AGAIN_MS": IS_BEHIND,
    "desk/offers.js: MOMENT_MS": "for a moment nothing is to be set by hand: the same field stays until it is known",
    "files/editor.js: PAUSE_MS": IS_BEHIND,
    "files/trial.js: APART_MS": "in a rehearsal, presses are put so far apart",
    "frame/bar.js: GRACE_MS": "a connection that comes back so soon is not told as lost; one that is lost stays told",
    "frame/signs.js: PAUSE_MS": IS_A_RHYTHM,
    "frame/signs.js: PULSE_MS": IS_A_PULSE,
    "frame/signs.js: SEEN_MS": IS_A_RHYTHM,
    "frame/speaker.js: timer of 120": "sentences that come so close together are read as one",
    "frame/voice.js: LONGEST_MS": "a browser that never tells the end of a sentence is taken to have ended it",
    "frame/voice.js: LONGEST_OF_LETTER_MS": "the same, by the length of the sentence",
    "profile/hand_trial.js: AFTER_MS": OF_A_TRIAL,
    "profile/hand_trial.js: MEANT_MS": OF_A_TRIAL,
    "scanning/dialog.js: APART_MS": IS_BEHIND,
    "scanning/dialog.js: HINT_MS": "after so long without a code it is said how to hold the card; what is said stays",
    "scanning/dialog.js: IDLE_MS": "the camera is put out, and this is told; the dialog stays, a key starts it again",
    "scanning/once.js: GONE_MS": "a card that lies before the camera counts once, until it was away for so long",
    "panel.js: COARSE_MS": IS_A_FORMAT,
    "play.js: GRACE_MS": "a connection that comes back so soon is not told as lost; one that is lost stays told",
    "tournament/frame.js: GRACE_MS": "a connection that comes back so soon is not told as lost; a lost one stays told",
    "tournament/frame.js: timer of 250": "the round's clock is drawn anew; it shows seconds",
    "tournament/live.js: AGAIN_MS": IS_BEHIND,
    "tournament/live.js: FIRST_WAIT_MS": IS_BEHIND,
    "tournament/live.js: LONGEST_WAIT_MS": IS_BEHIND,
    "tournament/live.js: PING_MS": IS_BEHIND,
    "tournament/live.js: SILENCE_MS": IS_BEHIND,
    "tournament/live.js: SPREAD_MS": IS_BEHIND,
    "wire/connection.js: AWAKE_MS": IS_BEHIND,
    "wire/connection.js: FIRST_WAIT_MS": IS_BEHIND,
    "wire/connection.js: LONGEST_WAIT_MS": IS_BEHIND,
    "wire/connection.js: PING_MS": IS_BEHIND,
    "wire/connection.js: SILENCE_MS": IS_BEHIND,
}
"""Constants that are no setting, by file and name, each with the reason."""


def constants(path: Path) -> list[str]:
    """Give the names of a module's own constants that are times."""
    found = []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        found += [t.id for t in targets if isinstance(t, ast.Name) and re.search(r"_(NS|MS|S)$", t.id)]
    return found


def timers(path: Path) -> list[str]:
    """Give the constants of a script that are times, and the times that its timers are given as numbers."""
    text = path.read_text(encoding="utf-8")
    named = re.findall(r"^(?:export )?const (\w+_MS)\b", text, re.MULTILINE)
    bare = re.findall(r"set(?:Timeout|Interval)\([^;]*?,\s*(\d+)\)", text)
    return [*named, *(f"timer of {number}" for number in bare if number != "0")]


def found() -> set[str]:
    """Give all of them, by file."""
    modules = (path for room in ROOMS for path in sorted((PACKAGE / room).rglob("*.py")))
    known = {f"{path.relative_to(PACKAGE).as_posix()}: {name}" for path in modules for name in constants(path)}
    return known | {
        f"{path.relative_to(SCRIPTS).as_posix()}: {name}" for path in SCRIPTS.rglob("*.js") for name in timers(path)
    }


def test_every_time_that_something_is_shown_for_is_a_setting() -> None:
    assert found() - EXCEPTIONS.keys() == set()


def test_no_exception_is_left_that_is_none_any_more() -> None:
    assert EXCEPTIONS.keys() - found() == set()


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_each_exception_has_its_reason(name: str) -> None:
    assert len(EXCEPTIONS[name].split()) > 2
