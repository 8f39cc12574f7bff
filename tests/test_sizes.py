"""How large functions and classes are: of the program, what builds the documentation, draws the hardware, and packs.

Lines of a function are counted from its `def` to its last, without its docstring. A class has the fields that are
annotated in its body and the attributes that its constructor sets, and the methods of its own body.
"""

from __future__ import annotations

import ast
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple

import pytest

pytestmark = pytest.mark.slow  # parses the whole program

ROOT = Path(__file__).parents[1]
ROOMS = ("companion", "docs", "hardware", "systemd")

MOST_FIELDS, MOST_METHODS = 12, 25
MEDIAN_LINES, P95_LINES, MOST_LINES = 7, 25, 50

EXCEPTIONS: dict[str, str] = {
    "companion.core.shown.scene.Row": (
        "A place has all that any display says of it; in two values, each of them would be half a row."
    ),
    "companion.adapters.gpio.gpiozero_source.GpiozeroSource": (
        "What the port asks of every source is a third of its fields: name, delay, error, certificate, given, remark."
    ),
    "companion.adapters.gpio.gpiod_source.GpiodSource": (
        "What the port asks of every source is a third of its fields: name, delay, error, certificate, given, remark."
    ),
    "companion.adapters.gpio.gpiod_request.LineRequest": (
        "The kernel's queue, its numbers and its threads are read at one instant: what is kept depends on all three."
    ),
    "companion.adapters.simulated.source.SimulatedSource": (
        "What the port asks of every source is a third of its fields: name, delay, error, certificate, given, remark."
    ),
    "companion.core.play.seating.Table": "A plain frozen value: all that a match is set up from, a field each.",
    "companion.core.play.seating.Lobby": (
        "What it was given, what it holds and what the session asks of it are a word each, which others read by name."
    ),
    "companion.core.play.session.SessionState": (
        "It is the parts of a session, one field each, of which every stage uses its own; what they do is in them."
    ),
    "companion.core.play.session.Session": (
        "One method for each thing that leads from one stage of the box to another, and a few that part them."
    ),
    "companion.adapters.gpio.outputs.buzzer.PanelBuzzer": (
        "Half of its fields are how it is set up, kept until `open`; the rest is what its thread and the loop share."
    ),
    "companion.adapters.pods.source.PodsSource": (
        "Half of its fields are how it is set up; the rest is what the ports' threads and the loop share, under a lock."
    ),
    "companion.adapters.sqlite_journal.writer.SqliteJournal": (
        "Its fields are what its thread and the loop share under two locks: who holds which is to be read in one place."
    ),
    "companion.adapters.web.api.Desk": (
        "It does next to nothing: it names the parts that the addresses of the API work on."
    ),
    "companion.adapters.web.server.DeskPlan": (
        "It carries what a desk is made of from the server's constructor to its opening, and does nothing else."
    ),
    "companion.adapters.web.socket.Live": (
        "One open connection: a method for each kind of message that a page sends, and what is sent back to it."
    ),
    "companion.app.turn.effect_runner.EffectRunner": (
        "By whom each kind of effect is done is a field of its own; what they do is in them."
    ),
    "companion.screens.everybody.public.PublicTable": "A plain frozen value: what of the seating everybody may see.",
    "companion.config.settings.SeatSettings": "A table of the settings file: each of its keys is a field.",
    "companion.config.settings.Settings": "The whole settings file: each of its tables is a field.",
    "companion.config.settings.Web": "A table of the settings file: each of its keys is a field.",
    "companion.adapters.web.wire.hub.Hub": (
        "Events, state and picture go to all in one order; each is kept as it was encoded once for every connection."
    ),
    "companion.core.play.health.BoxStatus": (
        "A plain frozen value, which `companion status` and the service manager read as a whole."
    ),
    "companion.core.play.snapshot.Running": (
        "A plain frozen value: all that another thread may know of a match at one instant."
    ),
    "companion.core.record.lines.Setup": (
        "The first line of a record as the format has it: all that a match rests on stands in one object."
    ),
    "companion.core.ruling.plain_game.PlainGame": (
        "The usual answer to each thing that the contract asks of a game: it is as large as the contract."
    ),
    "companion.core.ruling.game.Game": (
        "The contract of a game, a Protocol: `PlainGame` answers what a game need not say, so none writes them all."
    ),
    "companion.games.apache.state.State": (
        "A plain frozen value: the state of a match, which each line replaces as a whole."
    ),
    "companion.testing.driving.Driver": (
        "One method for each thing that people do at a box, among which a seeded walk draws the next."
    ),
}
"""Classes that are larger, by module and name, each with the reason why it is not two."""


class Size(NamedTuple):
    """How large a class is."""

    fields: int
    methods: int

    @property
    def is_large(self) -> bool:
        return self.fields > MOST_FIELDS or self.methods > MOST_METHODS


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines of a function, the `def` included and the docstring not."""
    assert function.end_lineno is not None
    lines = function.end_lineno - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function, clean=False) is None or first.end_lineno is None:
        return lines
    return lines - (first.end_lineno - first.lineno + 1)


def size_of(cls: ast.ClassDef) -> Size:
    """Count what a class's own body has."""
    methods = [node for node in cls.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    annotated = {
        node.target.id
        for node in cls.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and not _is_of_class(node)
    }
    constructors = [method for method in methods if method.name == "__init__"]
    return Size(len(annotated.union(*map(_set_by, constructors))), len(methods))


def _is_of_class(field: ast.AnnAssign) -> bool:
    return ast.unparse(field.annotation).startswith("ClassVar")


def _set_by(constructor: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    own = constructor.args.args[0].arg
    return {
        node.attr
        for node in ast.walk(constructor)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == own
    }


def functions_in(source: str) -> dict[str, int]:
    """Give the lines of every function, by its line and name."""
    tree = ast.parse(source)
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return {f"{node.lineno} {node.name}": lines_of(node) for node in functions}


def classes_in(source: str) -> dict[str, Size]:
    """Give the size of every class, by its name."""
    return {node.name: size_of(node) for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef)}


def sources() -> dict[str, str]:
    """Give every module's text, by its dotted name."""
    paths = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
    return {".".join(path.relative_to(ROOT).with_suffix("").parts): path.read_text(encoding="utf-8") for path in paths}


FUNCTIONS = {
    f"{module}:{name}": lines for module, text in sources().items() for name, lines in functions_in(text).items()
}
CLASSES = {f"{module}.{name}": size for module, text in sources().items() for name, size in classes_in(text).items()}


def test_most_functions_are_short() -> None:
    assert median(FUNCTIONS.values()) <= MEDIAN_LINES
    assert quantiles(FUNCTIONS.values(), n=20)[-1] <= P95_LINES


def test_no_function_is_long() -> None:
    assert {name: lines for name, lines in FUNCTIONS.items() if lines > MOST_LINES} == {}


@pytest.mark.parametrize("room", sorted({".".join(name.split(".")[:3]) for name in CLASSES}))
def test_no_class_is_large_without_its_reason(room: str) -> None:
    classes = {name: size for name, size in CLASSES.items() if f"{name}.".startswith(f"{room}.")}
    assert {name: size for name, size in classes.items() if size.is_large and name not in EXCEPTIONS} == {}


def test_every_exception_is_still_one_and_has_a_sentence_for_a_reason() -> None:
    assert [name for name in EXCEPTIONS if name not in CLASSES or not CLASSES[name].is_large] == []
    assert [name for name, why in EXCEPTIONS.items() if len(why.split()) < 6 or not why.endswith(".")] == []


EXAMPLE = '''
class Box(Base):
    lid: str
    sides: ClassVar[int] = 6

    def __init__(self, a):
        """Two
        lines of docstring."""
        self.a, (self.b, self._c) = a
        self.lid: str = ""
        other.d = self.e

    async def open(
        self,
    ) -> None:
        def inner(): return 1
        self.f = 1
'''


def test_fields_methods_and_lines_are_counted_as_said() -> None:
    assert classes_in(EXAMPLE) == {"Box": Size(fields=4, methods=2)}
    assert functions_in(EXAMPLE) == {"6 __init__": 4, "13 open": 5, "16 inner": 1}


@pytest.mark.parametrize(("fields", "methods"), [(13, 0), (0, 26), (12, 25)])
def test_a_class_is_large_beyond_either_limit(fields: int, methods: int) -> None:
    assert Size(fields, methods).is_large is ((fields, methods) != (12, 25))
