"""Scenes to look at: an everyday match, and the worst that can come together. Golden pictures have their names."""

from dataclasses import replace
from typing import Any

from companion.core.hands.over import with_cued
from companion.core.panel import Colour
from companion.core.record.lines import PressLine
from companion.core.ruling.looks import look_of
from companion.core.ruling.view import Clock, View
from companion.core.shown.cued import Cued
from companion.core.shown.scene import (
    Allowance,
    Body,
    Choosing,
    Final,
    Idle,
    Invitation,
    Lobby,
    Menu,
    MenuItem,
    Question,
    Results,
    Row,
    Scene,
    Standing,
    Status,
    Trust,
    Turn,
)
from companion.core.timing.events import MS
from companion.games import registry
from companion.games.apache.cards import Role
from companion.games.apache.wording import NO_BOOTY, NO_INDIAN

RED, YELLOW, GREEN, BLUE, PURPLE = Colour
CHIEF, WARRIOR, MAIDEN, HUNTER = Role
US = 1_000
APACHE = registry.find("apache")
LOOK = look_of(APACHE, None)
HINTS = ("Booty up: turn the knob.", "Indian up: hold the knob", "and press its button.")
BOOTY = ("buffalo", "totem pole", "tomahawk", "necklace", "teepee")
INDIANS = tuple(f"{colour} {role}" for colour in Colour for role in Role)

VIEW = View(
    scores=((RED, 12), (YELLOW, 9), (BLUE, 15)),
    score_label="cards",
    table=(("buffalo", 4), ("totem pole", 1), ("teepee", 2), ("red hunter", 1), ("blue chief", 2), ("blue maiden", 1)),
    turn=YELLOW,
    hidden=87,
)
FULL_VIEW = View(
    scores=tuple((colour, 100 + index) for index, colour in enumerate(Colour)),
    score_label="cards",
    table=(*((kind, 9 + 24 * (kind == "buffalo")) for kind in BOOTY), *((name, 2) for name in INDIANS)),
    turn=PURPLE,
    hidden=114,
)
END_MENU = Menu("pick", (MenuItem("protest"), MenuItem("answer RED's protest")))
CARD_MENU = Menu(
    "Which card?",
    (MenuItem("it was red hunter"), *(MenuItem(name) for name in (*BOOTY, *INDIANS))),
    cursor=7,
)


def shown(body: Body, alarms: tuple[str, ...] = (), **of_scene: Any) -> Scene:
    """A scene of Apache."""
    return Scene(body, alarms, look=LOOK, roles=APACHE.roles, **of_scene)


def with_reason(row: Row) -> Row:
    """The row with the words that Apache has for why it is punished."""
    if row.why is None:
        return row
    says, brief = APACHE.reason(PressLine(colour=row.colour, role=row.role, t_ns=0), row.why)
    return replace(row, why_says=says, why_brief=brief)


ROWS = (
    Row(1, YELLOW, HUNTER, 0, 40 * US, verdict="claim"),
    Row(2, PURPLE, HUNTER, 83 * MS + 400 * US, 40 * US, verdict="claim"),
    with_reason(Row(3, RED, CHIEF, 1_204 * MS, 40 * US, verdict="punish", why=NO_INDIAN)),
)
WORST_ROWS = tuple(
    with_reason(
        Row(
            place,
            colour,
            WARRIOR,
            (place - 1) * 9_123 * MS,
            999 * US,
            dead_heat=True,
            verdict="punish",
            why=NO_INDIAN if place % 2 else NO_BOOTY,
        )
    )
    for place, colour in enumerate(reversed(Colour), start=1)
)
FIVE_ROWS = (
    Row(1, RED, WARRIOR, 0, 40 * US, dead_heat=True, verdict="claim"),
    Row(2, YELLOW, MAIDEN, 24 * US, 40 * US, dead_heat=True, verdict="claim"),
    with_reason(Row(3, GREEN, WARRIOR, 41 * MS + 700 * US, 40 * US, verdict="punish", why=NO_BOOTY)),
    with_reason(Row(4, BLUE, HUNTER, 83 * MS + 400 * US, 40 * US, verdict="punish", why=NO_INDIAN)),
    Row(5, PURPLE, CHIEF, 2_345 * MS, 40 * US, verdict="claim"),
)
BARE = tuple(Row(r.place, r.colour, r.role, r.gap_ns, r.error_ns, r.dead_heat) for r in FIVE_ROWS)

ALLOWED_ROWS = (
    Row(1, YELLOW, HUNTER, 0, 40 * US, verdict="claim", allowance=Allowance(800 * MS, 700 * MS, 5_200 * MS)),
    Row(2, RED, WARRIOR, -700 * MS, 40 * US, verdict="claim"),
    with_reason(
        Row(3, GREEN, WARRIOR, 9_041 * MS, 40 * US, verdict="punish", why=NO_BOOTY,
            allowance=Allowance(60_000 * MS, 9_741 * MS, 14_241 * MS))
    ),
    with_reason(
        Row(4, BLUE, MAIDEN, 8_000 * MS, 999 * US, dead_heat=True, verdict="punish", why=NO_INDIAN,
            allowance=Allowance(1_500 * MS, 8_700 * MS))
    ),
    Row(5, PURPLE, CHIEF, 2_345 * MS, 40 * US, dead_heat=True, verdict="claim"),
)  # fmt: skip

TURNS = (
    Turn(YELLOW, HUNTER, "claimed", cards=("yellow hunter", "buffalo", "buffalo", "buffalo")),
    Turn(PURPLE, HUNTER, "claimed", cards=("purple hunter", "teepee")),
    Turn(RED, CHIEF, "punished", why_says="no red chief is face up", cards=("totem pole", "red chief")),
)
PUNISHED = Turn(GREEN, WARRIOR, "punished", why_says="no booty lies there", cards=("totem pole", "red chief"))
BIG_TURN = Turn(
    RED,
    CHIEF,
    "claimed",
    cards=(
        *("red chief", "blue chief", "yellow chief", "yellow chief", "purple chief", "purple chief"),
        "green warrior",
        *["totem pole"] * 5,
    ),
)
RAID = Turn(
    PURPLE,
    WARRIOR,
    "claimed",
    cards=("purple warrior", "tomahawk", "tomahawk", "buffalo", "buffalo", "buffalo"),
    note="tribute: 1 from RED, 1 from YEL, 1 from BLU",
)
OPTIONS = Menu(
    "RED takes",
    (
        MenuItem("2 totem + prisoner", role=CHIEF),
        MenuItem("1 teepee", role=WARRIOR),
        MenuItem("wedding + 1 teepee", role=MAIDEN),
    ),
)
PRISONERS = Menu(
    "PUR takes",
    (
        *(MenuItem(name, button=name) for name in INDIANS if "maiden" not in name),
        MenuItem("back"),
    ),
    cursor=4,
)
SETTINGS = (
    MenuItem("start"),
    MenuItem("game", "Apache"),
    MenuItem("first", "RED"),
    MenuItem("Warpath", "on"),
    MenuItem("Wedding", "off"),
    MenuItem("Shared booty", "off"),
    MenuItem("window", "3 s"),
    MenuItem("dead heat", "timestamp"),
)
LONG_ALARM = "the ssd1306 display at address 0x3c on I2C bus 1 does not answer: check the wires"

TRUST_URL = "http://192.168.178.123:8018/"
FINGERPRINT = bytes(range(0, 256, 8)).hex(" ").upper()


def clock_scene(
    left_s: tuple[float, ...], phase: str, running: tuple[int, ...] = (), menu: Menu | None = None, **more: Any
) -> Scene:
    """Clocks of so many seconds, in the order of colours. more: `turn`, `flags`, `held_s`, `round`, `notice`."""
    flags: dict[int, int] = more.get("flags", {})
    clocks = tuple(
        Clock("time left", colour, round(left * 1000) * MS, 0, index in running, flag=flags.get(index),
              held_ns=round(more.get("held_s", 0) * 1000) * MS * (index in running), low_ns=10_000 * MS)
        for index, (colour, left) in enumerate(zip(Colour, left_s, strict=False))
    )  # fmt: skip
    colours = tuple(Colour)[: len(left_s)]
    view = View(
        scores=tuple((colour, 0) for colour in colours), score_label="points", turn=more.get("turn"), phase=phase,
        round=more.get("round"), clocks=clocks,
    )  # fmt: skip
    return Scene(Idle("Clock", view, "", menu), notice=more.get("notice", ""))


PAUSE_MENU = Menu("pick", (MenuItem("pause"), MenuItem("RED's buttons", "RED"), MenuItem("YEL's buttons", "YEL")))
SCENES: dict[str, Scene] = {
    "clocks-ready": clock_scene((5430, 5430), "ready", turn=RED),
    "clocks-two": clock_scene((565, 535.2), "running", (0,), turn=RED),
    "clocks-five": clock_scene((7165, 6535, 7200, 7200, 3599), "running", (1,), turn=YELLOW),
    "clocks-low": clock_scene((15, 7.65, 20), "running", (1,), turn=YELLOW),
    "clocks-delay": clock_scene((60, 60, 61), "running", (2,), turn=GREEN, held_s=7.2),
    "clocks-flags": clock_scene((0, -63, 0, 412), "paused", turn=BLUE, flags={0: 2, 1: 1, 2: 3}),
    "clocks-below": clock_scene(
        (-3.25, 44), "running", (0,), turn=RED, flags={0: 1}, notice="RED first: nothing to do"
    ),
    "clocks-all": clock_scene((600, 512, 9.4, 500, 501), "running", (1, 2, 4), round=3),
    "clocks-menu": clock_scene((565, 535.2), "running", (0,), PAUSE_MENU, turn=RED),
    "lobby-empty": Scene(Lobby((), Menu("New match", SETTINGS))),
    "lobby": Scene(Lobby((RED, YELLOW, BLUE), Menu("New match", SETTINGS, 3)), notice="YEL sits already"),
    "lobby-full": Scene(Lobby(tuple(Colour), Menu("New match", SETTINGS, 7)), alarms=("green chief: held at start",)),
    "lobby-not-certified": Scene(Lobby((RED, YELLOW, BLUE), Menu("New match", SETTINGS), "not certified")),
    "lobby-full-not-certified": Scene(
        Lobby(tuple(Colour), Menu("New match", SETTINGS, 7), "pods not certified"),
        alarms=("green chief: held at start",),
        notice="YEL sits already",
    ),
    "invitation-not-certified": Scene(Invitation("http://192.168.178.123:8017/", "123456", "not certified")),
    "invitation-trust": Scene(
        Invitation("https://192.168.178.123:8017/", "123456", "not certified", Trust(TRUST_URL, FINGERPRINT), 1)
    ),
    "invitation-fingerprint": Scene(
        Invitation("https://192.168.178.123:8017/", "123456", "not certified", Trust(TRUST_URL, FINGERPRINT), 2)
    ),
    "invitation-seat": Scene(
        Invitation("http://192.168.178.123:8017/", "123456", "not certified", seats=tuple(Colour))
    ),
    "idle-new": Scene(
        Idle("Apache", View(((RED, 0), (YELLOW, 0), (BLUE, 0)), "cards", turn=RED, hidden=114, hints=HINTS))
    ),
    "idle": Scene(Idle("Apache", VIEW, recent="revealed: red hunter")),
    "idle-full": Scene(
        Idle("Apache", FULL_VIEW, recent="revealed: purple maiden"),
        alarms=(LONG_ALARM, "gpiod lost 3 edges"),
        notice="refused: no third purple maiden can be there any more",
    ),
    "idle-menu": Scene(Idle("Apache", VIEW, menu=Menu("pick", CARD_MENU.items, 12))),
    "idle-held": Scene(Idle("Apache", VIEW, held=True, hint="press the Indian's button")),
    "standing": Scene(
        Standing(3, tuple(Row(r.place, r.colour, r.role, r.gap_ns, r.error_ns) for r in ROWS), Status.PROVISIONAL)
    ),
    "standing-one": Scene(Standing(3, BARE[:1], Status.PROVISIONAL)),
    "standing-five": Scene(Standing(12, BARE, Status.PROVISIONAL)),
    "standing-card": Scene(Standing(12, BARE[:3], Status.CLOSED, menu=CARD_MENU)),
    "standing-card-five": Scene(
        Standing(12, BARE, Status.CLOSED, late=((RED, HUNTER),), menu=CARD_MENU),
        alarms=("gpiod lost 3 edges", "x"),
        notice="refused: no third red chief",
    ),
    "standing-final": Scene(Standing(12, FIVE_ROWS, Status.FINAL)),
    "standing-late": Scene(Standing(3, ROWS, Status.FINAL, late=((RED, HUNTER), (GREEN, CHIEF)))),
    "standing-saving": Scene(Standing(3, ROWS, Status.SAVING)),
    "standing-not-recorded": Scene(
        Standing(3, ROWS, Status.NOT_RECORDED), alarms=("not recorded: the disk is full",), recorded=False
    ),
    "standing-worst": Scene(
        Standing(100, WORST_ROWS, Status.FINAL, late=tuple((colour, WARRIOR) for colour in Colour)),
        alarms=(LONG_ALARM, "gpiod lost 3 edges", "purple warrior: stuck"),
        notice="purple warrior: too late, the Pow-Wow is closed",
    ),
    "standing-hidden": Scene(Standing(3, (), Status.PROVISIONAL, made=(YELLOW, BLUE), hidden_for=(GREEN,))),
    "standing-hidden-four": Scene(
        Standing(3, (), Status.PROVISIONAL, made=(RED, YELLOW, BLUE, PURPLE), hidden_for=(GREEN, PURPLE))
    ),
    "standing-allowance": Scene(Standing(3, ALLOWED_ROWS[:2], Status.PROVISIONAL)),
    "standing-too-soon": Scene(
        Standing(3, tuple(replace(row, anticipated=row.place != 2) for row in ROWS[:3]), Status.PROVISIONAL)
    ),
    "standing-allowance-five": Scene(Standing(3, ALLOWED_ROWS, Status.FINAL)),
    "choosing": Scene(Choosing(3, RED, OPTIONS)),
    "choosing-prisoner": Scene(Choosing(3, PURPLE, PRISONERS, page=1), notice="not on offer: green maiden"),
    "choosing-more": Scene(Choosing(3, RED, OPTIONS, more=True)),
    "choosing-more-prisoner": Scene(Choosing(3, PURPLE, PRISONERS, page=1, more=True)),
    "choosing-more-secret": Scene(
        Choosing(None, RED, Menu("RED bids", (MenuItem("", role=CHIEF), MenuItem(""))), is_private=True, more=True)
    ),
    "choosing-few": Scene(
        Choosing(
            3,
            YELLOW,
            Menu(
                "YEL takes",
                (
                    MenuItem("green warrior", button="green warrior"),
                    MenuItem("red chief", button="red chief"),
                    MenuItem("back"),
                ),
            ),
            page=1,
        )
    ),
    "choosing-long": Scene(
        Choosing(
            100,
            GREEN,
            Menu(
                "GRN takes",
                (
                    MenuItem("5 totem poles, prisoner purple warrior or yellow warrior", role=CHIEF),
                    MenuItem("9 teepees", role=WARRIOR),
                    MenuItem("9 teepees, spouse purple maiden", role=MAIDEN),
                ),
            ),
        ),
        alarms=(LONG_ALARM,),
    ),
    "results": Scene(Results(3, ROWS, TURNS, Status.FINAL, VIEW)),
    "results-allowance": Scene(
        Results(3, ALLOWED_ROWS, (TURNS[0], Turn(RED, WARRIOR, "nothing"), PUNISHED), Status.FINAL, VIEW)
    ),
    "results-disputed": Scene(Results(3, ROWS, TURNS, Status.FINAL, VIEW, disputed=(YELLOW, BLUE))),
    "standing-disputed": Scene(Standing(3, ROWS, Status.FINAL, disputed=(RED,))),
    "results-turn": Scene(Results(3, ROWS, TURNS, Status.FINAL, VIEW, focus=0)),
    "results-punished": Scene(Results(3, ROWS, TURNS, Status.FINAL, VIEW, focus=2)),
    "results-big": Scene(Results(3, ROWS, (BIG_TURN, RAID), Status.FINAL, VIEW, focus=0)),
    "results-raid": Scene(Results(3, ROWS, (BIG_TURN, RAID), Status.FINAL, VIEW, focus=1)),
    "results-five": Scene(
        Results(
            12,
            FIVE_ROWS,
            tuple(
                Turn(
                    row.colour,
                    row.role,
                    "claimed" if row.verdict == "claim" else "punished",
                    cards=("purple warrior", "tomahawk", "tomahawk")
                    if row.verdict == "claim"
                    else ("buffalo", "teepee"),
                    why_says=row.why_says,
                )
                for row in FIVE_ROWS
            ),
            Status.FINAL,
            VIEW,
        )
    ),
    "question": Scene(
        Question("Take back?", ("revealed: purple maiden",), Menu("", (MenuItem("yes"), MenuItem("no")), 1))
    ),
    "question-agree": Scene(
        Question(
            "Agree: press a button",
            ("RED GRN PUR", "YEL: −800 ms allowance", "PUR: −60 s allowance", "agreed: YEL BLU"),
            Menu("", (MenuItem("back to the seating"),)),
            (RED, GREEN, PURPLE),
        )
    ),
    "question-resume": Scene(
        Question(
            "Resume the match?",
            ("Apache, match 12", "RED YEL BLU"),
            Menu("", (MenuItem("resume"), MenuItem("new match"))),
        )
    ),
    "final": Scene(Final("Apache", VIEW, (BLUE,))),
    "final-signed": Scene(Final("Apache", VIEW, (BLUE,), signed=(RED, BLUE))),
    "final-disputed": Scene(Final("Apache", FULL_VIEW, (RED, PURPLE), disputed=tuple(Colour))),
    "final-menu": Scene(Final("Apache", VIEW, (BLUE,), disputed=(RED,), menu=END_MENU)),
    "who-protests": Scene(
        Question("Who protests?", ("Press a button of your own: it is noted.",), Menu("", (MenuItem("nobody"),)))
    ),
    "final-shared": Scene(Final("Apache", FULL_VIEW, (RED, PURPLE))),
    "final-all": Scene(Final("Apache", FULL_VIEW, tuple(Colour)), alarms=(LONG_ALARM,), recorded=False),
}


def _scanned(number: int, title: str, says: str) -> tuple[Cued, ...]:
    return (Cued(RED, title, number, 9, says, is_private=False),)


_BY_SWITCH = {
    "lobby": _scanned(2, "New match", "game Apache"),
    "choosing": _scanned(2, "RED takes", "1 teepee"),
    "idle": _scanned(1, "What now?", "end the turn"),
    "final": _scanned(1, "at the end", "accept the result"),
}
for _name, _cued in _BY_SWITCH.items():
    SCENES[f"scanned-{_name}"] = replace(SCENES[_name], body=with_cued(SCENES[_name].body, _cued), notice="")

for _name, _scene in SCENES.items():
    SCENES[_name] = replace(_scene, look=LOOK, roles=APACHE.roles)
    if isinstance(_scene.body, (Standing, Choosing, Results)):
        body = replace(_scene.body, race_name="Pow-Wow")
        if isinstance(body, Choosing):
            body = replace(body, hint="press the Indian's button")
        SCENES[_name] = replace(SCENES[_name], body=body)
