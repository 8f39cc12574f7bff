"""Lets any input of a running box be made any button by pressing it, and keeps what was assigned.

What the session wants pressed (`wanted_input`) is caught while the sources are read; what follows is done in the next
turn: the new line is made known, the source uses it, the session says so. The file is written by a thread of its own
("inputs file"), as a card may take half a second for it. What is assigned to the seat of somebody who plays by a
profile goes into that, too, by the same thread: it is theirs, and goes with them.
"""

from __future__ import annotations

import logging
import threading
from functools import partial
from typing import TYPE_CHECKING, Protocol

from companion.adapters.evdev.codes import name_of
from companion.app.inputs.assigning import assign_key, assign_line, forget_button, uses_of
from companion.app.inputs.own_buttons import after_forgetting, after_key, after_line, conflict_in, titles_in, with_own
from companion.config.input_file import write_inputs
from companion.core.errors import CompanionError
from companion.core.timing.events import SECOND
from companion.core.words.texts import text
from companion.threads.watched import Watched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from companion.adapters.evdev.catching import Touched
    from companion.adapters.evdev.identity import Identity
    from companion.adapters.evdev.source import EvdevSource
    from companion.app.inputs.assigning import Changed
    from companion.app.inputs.own_buttons import Brought, OwnChange
    from companion.config.input_file import Inputs
    from companion.core.assigning.rewiring import Wire
    from companion.core.match.effects import Cue, Sound
    from companion.core.panel import Colour
    from companion.core.play.pipeline import Box
    from companion.core.play.session import Session
    from companion.core.profiles.profile import OwnButton
    from companion.core.shown.scene import Scene
    from companion.core.timing.contacts import LineTiming

LOG = logging.getLogger("companion")
STRANGER = "input without a use"
CONFLICT = "own buttons"
STRANGER_NS = 10 * SECOND
"""How long it is told that a device has no use, and how often at most."""
END_S = 5.0
NOT_KEPT = text("what was assigned holds until the box is switched off: {file}: {error}")
NOT_OWN = text("what was assigned is not in the profile of {name}: {error}")


class Profiles(Protocol):
    """Where people's profiles are kept."""

    def put_own(self, name: str, change: Callable[[tuple[OwnButton, ...]], tuple[OwnButton, ...]]) -> object:
        """Change the own buttons of a person's profile. Waits for the disk. Raises CompanionError."""


class InputFile:
    """The file of inputs, written by a thread while the box runs; it writes into profiles, too.

    on_fault: told why it could not be written, None once it was.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._next: Inputs | None = None
        self._others: list[Callable[[], None]] = []
        self._thread: Watched | None = None
        self.on_fault: Callable[[str | None], None] = lambda _: None

    def write(self, inputs: Inputs) -> None:
        """Have it say this, soon; of several the newest."""
        with self._lock:
            self._next = inputs
            self._begin()

    def also(self, other: Callable[[], None]) -> None:
        """Have something else written, soon; nothing of it is left out."""
        with self._lock:
            self._others.append(other)
            self._begin()

    def close(self) -> None:
        """Wait until it says what it is to say."""
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join(END_S)

    def _begin(self) -> None:
        if self._thread is None:
            self._thread = Watched(self._run, name="inputs file")
            self._thread.start()

    def _run(self) -> None:
        while True:
            with self._lock:
                inputs, others = self._next, self._others
                self._others = []
                if inputs is None and not others:
                    self._thread = None
                    return
            for other in others:
                other()
            if inputs is not None:
                self._put(inputs)
            with self._lock:  # not before: what failed as nobody expects is written when the thread is begun again
                self._next = None if self._next is inputs else self._next

    def _put(self, inputs: Inputs) -> None:
        try:
            write_inputs(self._path, inputs)
        except (OSError, CompanionError) as error:
            LOG.error("%s cannot be written: %s", self._path, error)
            self.on_fault(NOT_KEPT.format(file=self._path.name, error=str(error)))
        else:
            self.on_fault(None)


class Running(Protocol):
    """As much of the box's loop as is needed."""

    box: Box

    def alarm(self, key: str, text: str | None, lasts_ns: int | None = None) -> None:
        """Say that something is wrong, or is well again (None)."""

    def call(self, action: Callable[[Session], None]) -> None:
        """Do something to the session, in the next turn."""


class Assigner:
    """Input devices and assigned lines; follows the turns of a box.

    timings_of: gives what a press of each line is. asks: strangers are told of.
    """

    def __init__(
        self,
        source: EvdevSource,
        inputs: Inputs,
        file: InputFile,
        timings_of: Callable[[Iterable[str]], dict[str, LineTiming]],
        *,
        asks: bool,
    ) -> None:
        self.source = source
        self.inputs = inputs
        """What holds now."""
        self._file, self._timings_of, self._asks = file, timings_of, asks
        self._loop: Running | None = None
        self._wanted: str | None = None
        self.profiles: Profiles | None = None
        """Where people's own buttons go; None: nowhere."""
        self._own: tuple[Brought, tuple[Identity, ...]] = ({}, ())
        self._forgetting: str | None = None
        self._remark: str | None = None
        self._told_ns: dict[str, int] = {}

    def attach(self, loop: Running) -> None:
        """Rewire the lines of all sources, and offer to assign."""
        self._loop = loop
        self._file.on_fault = partial(loop.alarm, "inputs file")
        if self._asks:
            self.source.catcher.on_stranger = self._stranger
        self._use(loop, loop.box.session)
        loop.box.session.let_assign()

    def close(self) -> None:
        """Let go of the devices; the file says by then what it is to say."""
        self.source.close()
        self._file.close()

    # -- as a follower of turns --------------------------------------------------------------------------------------

    def follow(self, session: Session, scene: Scene, now_ns: int, match_id: int | None) -> None:  # noqa: ARG002
        """See whether a press is wanted, or no longer, and who has brought buttons of their own."""
        self.sit({colour: sitter.profile.mapping for colour, sitter in session.sitters.items()})
        if session.wanted_input != self._wanted and self._loop is not None:
            self._wanted = session.wanted_input
            is_wanted = self._wanted is not None
            self.source.catcher.on_catch = self._key_caught if is_wanted else None
            self._loop.box.rewiring.on_catch = self._line_caught if is_wanted else None
            self.source.arrange()
        label = session.forgotten_input
        if label is not None and label != self._forgetting and self._loop is not None:
            self._loop.call(lambda session: self._forget(session, label))
        self._forgetting = label

    def sit(self, own: Brought) -> None:
        """Have the buttons of their own that people have brought be buttons of the seats they have taken.

        To be called in the loop's thread whenever that may have changed; what is the same costs nothing.
        """
        self.source.welcome(titles_in(own))
        now = dict(own), self.source.identities if any(own.values()) else ()
        if now != self._own:
            self._own = now
            if self._loop is not None:
                self._loop.alarm(CONFLICT, conflict_in(*now))
                self._use(self._loop, self._loop.box.session)

    def sound(self, sound: Sound) -> None:
        """Nothing: these have no voice."""

    def cue(self, cue: Cue) -> None:
        """Nothing: nor any motor."""

    # -- what was pressed --------------------------------------------------------------------------------------------

    def _key_caught(self, touched: Touched) -> None:
        others = self.source.identities
        code = name_of(touched.key)
        self._assign(
            lambda label: assign_key(self.inputs, touched.identity, others, code, label),
            lambda own, label: after_key(own, others, touched.identity, touched.key, label),
        )

    def _line_caught(self, wire: Wire) -> None:
        self._assign(
            lambda label: assign_line(self.inputs, wire, label), lambda own, label: after_line(own, wire, label)
        )  # fmt: skip

    def _assign(
        self, change: Callable[[str], Changed], own_change: Callable[[Brought, str], Mapping[Colour, OwnChange]]
    ) -> None:  # fmt: skip
        """Do what was caught, in the next turn: the sources are being read."""
        label, loop = self._wanted, self._loop
        if label is None or loop is None:
            return
        self.source.catcher.on_catch = loop.box.rewiring.on_catch = None

        def act(session: Session) -> None:
            self._changed(session, change(label))
            self._keep_own(session, own_change(self._own[0], label))

        loop.call(act)

    def _forget(self, session: Session, label: str) -> None:
        self._changed(session, forget_button(self.inputs, label))
        self._keep_own(session, after_forgetting(self._own[0], label))

    def _keep_own(self, session: Session, changes: Mapping[Colour, OwnChange]) -> None:
        """Have what was assigned in the profiles of those who sit there, or there no longer."""
        for colour, change in changes.items():
            if colour in session.sitters:
                self._file.also(partial(self._put_own, session.sitters[colour].profile.name, change))

    def _put_own(self, name: str, change: OwnChange) -> None:
        """Write it, in the thread of the file; then have a turn see it."""
        if self.profiles is None or self._loop is None:
            return
        try:
            self.profiles.put_own(name, change.of)
        except CompanionError as error:
            LOG.error("the own buttons of a profile cannot be written: %s", error)
            self._loop.alarm(f"own buttons of {name}", NOT_OWN.format(name=name, error=str(error)))
        else:
            self._loop.alarm(f"own buttons of {name}", None)

    def _changed(self, session: Session, changed: Changed) -> None:
        self.inputs = changed.inputs
        if self._loop is not None:
            self._use(self._loop, session)
        self._file.write(changed.inputs)
        session.input_assigned(changed.says)

    def _use(self, loop: Running, session: Session) -> None:
        """Have every part know the lines as they are assigned now, and the record what is special about them."""
        inputs = with_own(self.inputs, *self._own)
        loop.box.rewiring.give(inputs.lines)
        self.source.use(uses_of(inputs))
        loop.box.arbiter.add(self._timings_of((*self.source.lines, *loop.box.rewiring.lines)))
        if self.source.remark is not None and self.source.remark != self._remark:
            session.note(self.source.remark, self.source.name)
        self._remark = self.source.remark

    def _stranger(self, touched: Touched) -> None:
        """A device without a use was pressed. Which key is not said: somebody may be typing a secret on it."""
        title = touched.identity.title
        if self._loop is None or touched.t_ns - self._told_ns.get(title, -STRANGER_NS) < STRANGER_NS:
            return
        self._told_ns[title] = touched.t_ns
        says = text("a button of {device} has no use: assign it by the knob (buttons)").format(device=title)
        self._loop.alarm(STRANGER, says, STRANGER_NS)
