"""Puts a box together from settings and parts that are ready to be used: core, journal, event loop. Part of `app`.

What is read, shown and sounded on is given; what the players see is the same for a real panel and a simulated one.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import signal
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.adapters.evidence_files import EvidenceFiles, evidence_folder
from companion.adapters.intake_file import IntakeFile
from companion.adapters.keys.box_key import BoxKey
from companion.adapters.seeds.files import SeedFiles
from companion.adapters.sqlite_journal import SqliteJournal, export_notes
from companion.app.calibration.storing import Measurements, supplies_of
from companion.app.certificate.conditions import conditions_maker, readings
from companion.app.loop import BoxLoop, wall_time
from companion.app.storing.evidence import EvidenceNamer
from companion.app.storing.game_files import files_in, files_of
from companion.app.storing.newest import newest_over
from companion.app.storing.profiles import open_profiles, profiles_in, told_problems
from companion.app.storing.sealing import UNSEALED, not_sealed, seal_what_was_cut_off
from companion.config.installed_games import games_in
from companion.config.languages import languages_of
from companion.config.reading import state_directory
from companion.core.errors import CompanionError, Unavailable
from companion.core.evidence.keeping import StoredFile, may_be_deleted
from companion.core.match.match import PlaySettings
from companion.core.panel import BUTTON_BY_LABEL, BUTTONS, KNOB_PUSH, Colour, label_of
from companion.core.play.pipeline import Box
from companion.core.play.seating import Table
from companion.core.play.session import Session, Unfinished
from companion.core.record.dead_heats import policies_of
from companion.core.record.lines import Anticipation, parse_line
from companion.core.ruling.judge import Judge
from companion.core.ruling.parameters import variants_of
from companion.core.timing.arbiter import Arbiter
from companion.core.words.texts import text
from companion.games import registry
from companion.screens.oled.large.drawing import drawing
from companion.threads.watched import ENDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import FrameType

    from companion.app.parts import Outbox
    from companion.config.languages import Languages
    from companion.config.run_options import RunOptions
    from companion.config.settings import Box as BoxSettings
    from companion.config.settings import MatchSettings, Picture, Settings
    from companion.core.match.match_maker import MakeConditions
    from companion.core.ruling.game import AnyGame
    from companion.core.timing.contacts import LineTiming
    from companion.core.timing.events import Press
    from companion.ports import Announcer, ButtonSource, Buzzer, Display, Intake, Journal, KeepsEdges, KeptPress, Signer
    from companion.screens.oled.large.leafing import Draw
    from companion.threads.watched import End

LOG = logging.getLogger("companion")
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
NOT_RESUMED = "not resumed"
"""What the alarm stands for that a match that was cut off cannot be taken up."""
PROFILES = "profiles"
"""What the alarm stands for that a profile cannot be read; those that can, hold."""
SET_ASIDE = "set aside"
"""Says of what was told early that it is of a file that was set aside."""
ALL_LINES = (*(button.label for button in BUTTONS), KNOB_PUSH)
"""The lines of a panel with everything on it."""


def line_timings(settings: Settings, lines: Iterable[str]) -> dict[str, LineTiming]:
    """Give what a press of each line is: a button's by its seat's settings, the knob's push by the general ones."""
    buttons = {line: BUTTON_BY_LABEL.get(label_of(line)) for line in lines}
    return {line: settings.timing_of(button.colour if button else None) for line, button in buttons.items()}


def table_of(settings: Settings, options: RunOptions) -> Table:
    """Give what the lobby starts from: the settings, and who plays if that was said on the command line."""
    game = settings.match.game if settings.match.cards else registry.without_cards()
    return Table(
        game=game,
        files=files_of(settings.box, settings.match) if game == settings.match.game else {},
        seats=options.seats,
        first=options.first,
        variants=settings.match.variants if variants_of(registry.find(game).parameters) else (),
        dead_heat=policy_of(settings.match),
        timing=settings.match.timing,
        window_ns=settings.timing.window_ns,
        names={c: settings.seats.of(c).name for c in Colour if settings.seats.of(c).name},
        allowances_ms={c: settings.seats.of(c).allowance_ms for c in Colour},
        anticipation=anticipation_of(settings),
    )


def policy_of(match: MatchSettings) -> str:
    """Give what decides dead heats: what is set, or the usual policy where that needs times and there are none."""
    policies = policies_of(is_untimed=match.timing == "untimed")
    return match.dead_heat if match.dead_heat in policies else policies[0]


def anticipation_of(settings: Settings) -> Anticipation | None:
    """Give what becomes of a press too soon after its card; None where nothing does."""
    rule = settings.match.anticipation
    if rule == "auto":
        rule = "flag" if settings.scanner.port else "off"
    return None if rule == "off" else Anticipation(rule, settings.match.anticipation_ms)


def boot_id() -> str | None:
    """Name this boot, whose monotonic clock the times are on; None where the system does not say."""
    try:
        return BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return None


def unfinished(
    journal: Journal,
    boot: str | None,
    find_game: Callable[[str], AnyGame] = registry.find,
    kept: Sequence[KeptPress] = (),
    open_signer: Callable[[], Signer] | None = None,
) -> Unfinished | None:
    """Give the match that was cut off, None where there is none that can be taken up. kept: what the intake holds.

    open_signer: seals the end of one that is over, where that lacks; None: nobody does.
    """
    match_id = journal.unfinished()
    if match_id is None:
        return None
    judge = Judge(find_game)
    lines = []
    try:
        for number, raw in enumerate(journal.lines(match_id), start=1):
            line = parse_line(raw, number, judge.extra_lines)
            judge.feed(line)
            lines.append(line)
    except Exception as error:  # noqa: BLE001  # whatever a record leads to, the box must start
        told = error if isinstance(error, CompanionError) else repr(error)
        LOG.error("match %d cannot be taken up, line %d: %s", match_id, len(lines) + 1, told)
        return None
    if judge.is_over():
        if open_signer is not None:
            seal_what_was_cut_off(journal, match_id, lines, open_signer, wall_time())
        journal.finish(match_id)
        return None
    mine = [one for one in kept if one.match_id == match_id]
    return Unfinished(
        match_id,
        tuple(lines),
        same_clock=boot is not None and journal.boot_id(match_id) == boot,
        kept=tuple(one.press for one in mine if boot is not None and one.boot_id == boot),
        kept_before=tuple(one.press for one in mine if boot is None or one.boot_id != boot),
    )


class _Stores:
    """What journal and intake have to say: to the loop, and kept for it until it is there."""

    def __init__(self, outbox: Outbox | None) -> None:
        self._outbox = outbox
        self._loop: BoxLoop | None = None
        self._early: list[tuple[str, str]] = []

    def attach(self, loop: BoxLoop) -> None:
        """Tell the loop from now on, and what was said before."""
        self._loop = loop
        for key, says in self._early:
            self._tell(key, says)

    def durable(self, match_id: int, count: int) -> None:
        """The first `count` lines of a match are stored."""
        if self._loop is not None:
            self._loop.journal_durable(match_id, count)
        if self._outbox is not None:
            self._outbox.durable(match_id, count)

    def not_stored(self, text: str) -> None:
        """The journal cannot store."""
        self._tell("journal", text)

    def set_aside(self, text: str) -> None:
        """A damaged file was set aside."""
        if self._loop is None:
            self._early.append((SET_ASIDE, text))
        else:
            self._loop.call(lambda session: session.set_aside(text))

    def intake_fault(self, text: str | None) -> None:
        """The intake cannot keep presses, or can again."""
        if text is not None or self._loop is not None:
            self._tell("intake", text)

    def kept(self, presses: tuple[Press, ...]) -> None:
        """The intake has written presses."""
        loop = self._loop
        if loop is not None and any(press.origin is not None for press in presses):
            loop.call(lambda _session: loop.box.kept(presses))

    def _tell(self, key: str, text: str | None) -> None:
        if self._loop is None:
            self._early.append((key, text or ""))
        elif key == "journal":
            self._loop.journal_fault(text or "")
        elif key == SET_ASIDE:
            self._loop.box.session.set_aside(text or "")
        else:
            self._loop.alarm(key, text)


def drawing_of(picture: Picture, languages: Languages) -> Draw:
    """Give what draws this box's pictures. None is turned where the other side has a display of its own."""
    far = () if picture.second_address else tuple(map(Colour, picture.far))
    return drawing(picture.letters, far, lambda: languages.box)


def spoken_by(box: BoxSettings) -> Languages:
    """Give the languages of a box, and what it speaks now."""
    return languages_of(box.language, state_directory(box))


def build(
    settings: Settings,
    options: RunOptions,
    *,
    sources: list[ButtonSource],
    lines: Iterable[str],
    displays: list[Display],
    buzzer: Buzzer | None,
    announcer: Announcer | None = None,
    watchers: Iterable[Any] = (),
    keepers: Iterable[KeepsEdges] = (),
    outbox: Outbox | None = None,
    clock: Callable[[], int] = time.monotonic_ns,
) -> BoxLoop:
    """Put a box together around open sources; opens the journal. Raises Unavailable, Malformed or Illegal."""
    stores, folder = _Stores(outbox), state_directory(settings.box)
    journal = _journal(settings.box, folder, stores, outbox)
    boot = boot_id()
    intake, kept = _intake(folder, stores, journal)
    lines, key = tuple(lines), BoxKey(folder)
    unsealed = _why_unsealed(key)
    conditions = conditions_maker(settings, sources, lines, key.public_key)
    session, match_id = _session(settings, options, journal, boot, kept, conditions, partial(readings, sources))
    if intake is not None:
        _settle_others(intake, kept, match_id)
    evidence, measurements = evidence_files(settings.box), Measurements(folder, profiles_in(folder))
    loop = BoxLoop(
        Box(_arbiter(settings, lines, sources), session),
        sources=sources,
        journal=journal,
        displays=displays,
        buzzer=buzzer,
        announcer=announcer,
        draw=drawing_of(settings.picture, spoken_by(settings.box)),
        leaf_ns=settings.times.core.leaf_ns,
        watchers=tuple(watchers),
        keepers=tuple(keepers),
        boot_id=boot,
        match_id=match_id,
        intake=intake,
        clock=clock,
        open_signer=key.signer,
        evidence=evidence,
        measurements=measurements,
    )
    stores.attach(loop)
    session.switches.cue_ways["box"] = told_alone(settings)
    _catch_up(measurements, loop, settings.box)
    _report_ends(loop, settings.box, unsealed)
    EvidenceNamer(journal, loop).open(evidence)
    return loop


def _journal(box: BoxSettings, folder: Path, stores: _Stores, outbox: Outbox | None) -> SqliteJournal:
    """Give the open journal. Raises Unavailable."""
    journal = SqliteJournal(folder, keep=box.keep_matches, on_set_aside=stores.set_aside)
    if outbox is not None:
        journal.is_spared = outbox.is_spared
    journal.open(stores.durable, stores.not_stored)
    return journal


def _catch_up(measurements: Measurements, loop: BoxLoop, box: BoxSettings) -> None:
    """Have the newest match count for allowances, where the box was cut off between its end and that.

    Nothing is judged again where nobody has a measured allowance; whatever there is in the record, the box must start.
    """
    measurements.alarm = loop.alarm
    folder = state_directory(box)
    if not any(one.allowance.evidence is not None for one in profiles_in(folder).kept):
        return
    try:
        measurements.catch_up(newest_over(folder, games_in(box.language).find))
    except Exception as error:  # noqa: BLE001
        LOG.error("the newest match cannot count for allowances: %s", error)


def _settle_others(intake: Intake, kept: Sequence[KeptPress], match_id: int | None) -> None:
    """Keep no press any more of a match that is not gone on with."""
    for one in kept:
        if one.match_id != match_id:
            intake.settle(one.press)


def _report_ends(loop: BoxLoop, box: BoxSettings, unsealed: str | None) -> None:
    """Say when a thread ends unexpectedly, when a game fails, what of people's profiles cannot be read, and why nothing
    is sealed."""
    loop.alarm(UNSEALED, unsealed)
    ENDS.listen(loop, _say_ended)
    _report_games(box.language, loop)
    loop.alarm(PROFILES, told_problems(profiles_in(state_directory(box)).problems))
    spoken_by(box).on_fault = partial(loop.alarm, "language")


def _say_ended(loop: BoxLoop, end: End) -> None:
    """Say for a while, from any thread, that a thread has ended unexpectedly."""
    loop.call(lambda session: session.alarm_passed(f"thread {end.thread}", end.text))


def _arbiter(settings: Settings, lines: Iterable[str], sources: Iterable[ButtonSource]) -> Arbiter:
    """Give what puts the sources' presses in order."""
    delays = {source.name: source.delay_ns for source in sources}
    return Arbiter(line_timings(settings, lines), delays, settings.timing.limits)


def _report_games(language: str, loop: BoxLoop) -> None:
    """Say when a game fails; which cannot be played at all is in the log once somebody asks for them."""
    games_in(language).on_fault = partial(loop.alarm, "game")


def _intake(folder: Path, stores: _Stores, journal: SqliteJournal) -> tuple[IntakeFile | None, tuple[KeptPress, ...]]:
    """Give the open intake and what it holds; None where it cannot be used: play goes on, and what is shown says so."""
    intake = IntakeFile(folder, on_set_aside=stores.set_aside)
    journal.before_commit = intake.wait_until_written
    try:
        return intake, tuple(
            one for one in intake.open(stores.intake_fault, stores.kept) if _is_of_a_panel(one.press.line)
        )
    except Unavailable as error:
        stores.intake_fault(f"presses are not kept until they are recorded: {error}")
        return None, ()


def _is_of_a_panel(line: str) -> bool:
    """Tell whether there can be a line of this name, on the box, a phone or a pod."""
    label = label_of(line)
    return label == KNOB_PUSH or label in BUTTON_BY_LABEL


def _why_unsealed(key: BoxKey) -> str | None:
    """See that the box can seal, with its key made where there has never been one; where it cannot, say why."""
    try:
        key.prepare()
    except CompanionError as error:
        return not_sealed(error)
    return None


def _measure(session: Session, colour: Colour, player: str) -> None:
    """Begin a calibration. player: who sits there, by a profile where they have one; empty for what is set."""
    if player:
        session.sit(colour, player)
        session.sit_down()
    session.measuring.open(session.table.seats, session.table.names or {}, colour)


def _session(
    settings: Settings,
    options: RunOptions,
    journal: Journal,
    boot: str | None,
    kept: Sequence[KeptPress],
    conditions: MakeConditions,
    read_by: Callable[[], Iterable[tuple[str, str]]],
) -> tuple[Session, int | None]:
    """Give the session, and the match that was cut off and is offered or taken up in it; None where there is none."""
    games = games_in(settings.box.language)
    found = unfinished(journal, boot, games.find, kept, BoxKey(state_directory(settings.box)).signer)
    if found is not None and settings.box.resume == "never":
        journal.finish(found.match_id)
        found = None
    table, play = table_of(settings, options), play_settings(settings)
    seeds = SeedFiles(state_directory(settings.box) / "seeds")
    files = files_in(state_directory(settings.box), settings.box.language)
    files.look()
    supplies = supplies_of(state_directory(settings.box), settings.calibration.patience_ns)

    def session_with(found: Unfinished | None) -> Session:
        return Session(
            games.find, registry.listed(), table, play, found, seeds, secrets.token_hex, conditions,
            find_files=files.files, times=settings.times.core, languages=spoken_by(settings.box),
            people=open_profiles(state_directory(settings.box)), supplies=supplies,
        )  # fmt: skip

    session = session_with(found)
    session.readings = read_by
    if options.calibrate is not None:
        supplies.kept = None if options.anew else supplies.kept
        _measure(session, options.calibrate, options.player)
        return session, None
    if found is None:
        if options.seats:
            session.start(table.setup(games.find(table.game)))
            for colour in session.asks_consent_of if options.confirmed_by else ():
                session.consent(colour, options.confirmed_by)
        return session, None
    if settings.box.resume == "always":
        try:
            session.resume()
        except Exception as error:  # noqa: BLE001  # whatever a record leads to, the box must start
            told = error if isinstance(error, CompanionError) else repr(error)
            LOG.error("match %d cannot be taken up: %s", found.match_id, told)
            offered = session_with(None)
            says = text("match {match} cannot be taken up: the log says why")
            offered.alarm(NOT_RESUMED, says.format(match=found.match_id))
            return offered, None
    return session, found.match_id


def evidence_files(box: BoxSettings) -> EvidenceFiles:
    """Give the store of evidence; it deletes what is older than the settings say, and nothing that is protested."""
    directory = state_directory(box)

    def tidy(stored: Iterable[StoredFile]) -> list[str]:
        return may_be_deleted(stored, lambda: export_notes(directory), box.evidence_days, time.time())

    return EvidenceFiles(evidence_folder(directory), tidy)


def play_settings(settings: Settings) -> PlaySettings:
    """Give how races are collected."""
    timing, seats = settings.timing, settings.seats
    return PlaySettings(
        window_ns=timing.window_ns,
        extensions_ns={colour: seats.of(colour).extension_ns for colour in Colour},
        late_ns=timing.late_ns,
        speaks=settings.voice.kind != "none",
        again=settings.voice.again,
        accepts_ns={colour: settings.timing_of(colour).accept_ns for colour in Colour},
        is_spoken=settings.match.start == "spoken",
        announcement_ns=settings.times.core.announcement_ns,
        switches={colour: how for colour in Colour if (how := seats.of(colour).scanning) is not None},
    )


def told_alone(settings: Settings) -> frozenset[Colour]:
    """Give the seats that the box itself can tell something alone: by an earphone or a motor of their own."""
    motors = settings.signals.motors if settings.signals.kind != "none" else ()
    felt = {colour for colour, output in zip(Colour, motors, strict=False) if output >= 0}
    return frozenset(felt | {colour for colour in Colour if settings.seats.of(colour).earphone})


def handle_signals(stop: Callable[[], None]) -> None:
    """Stop on SIGTERM, SIGHUP and SIGINT. To be called in the event loop, in the main thread.

    Not by the loop's own `add_signal_handler`: it hands the signal's number through the pipe that wakes the loop, and
    where the loop is behind, that pipe is full of its threads' calls and the signal is lost.
    """
    loop = asyncio.get_running_loop()

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(stop)

    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, on_signal)
