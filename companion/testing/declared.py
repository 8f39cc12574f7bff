"""What a game says of itself: seats, buttons, parameters, cards, drawings."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

import msgspec
import pytest

from companion.core.errors import Illegal, Malformed
from companion.core.panel import Colour
from companion.core.record.lines import STANDARD_LINES, SetupFile
from companion.core.record.standing import standing_lines
from companion.core.ruling.game import CONTRACT
from companion.core.ruling.judge import Judge
from companion.core.ruling.parameters import FileFault, faults_of, verify_setup, why_no_name
from companion.core.ruling.plain_game import completed
from companion.files.reading import package_text
from companion.testing import drawings
from companion.testing.suite import LABEL, ROLE, SEEDS, TEXT, Suite, fits
from companion.testing.walks import only, setup_of, value_of

if TYPE_CHECKING:
    from companion.core.ruling.game import AnyGame
    from companion.testing.walks import Walk

MIXED = 12
"""So many texts are made of each that comes along."""


def mixed(text: str, random: Random) -> str:
    """Give a text with a line of it left out, doubled, cut off, or put elsewhere."""
    lines = text.split("\n")
    at, to = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(4):
        case 0:
            del lines[at]
        case 1:
            lines.insert(to, lines[at])
        case 2:
            lines[at] = lines[at][: random.randint(0, len(lines[at]))]
        case 3:
            lines[at], lines[to] = lines[to], lines[at]
    return "\n".join(lines)


class Declared(Suite):
    """Version, names and things that do not depend on a match."""

    def test_it_keeps_this_contract_and_numbers_its_rules(self) -> None:
        """Version, edition, name, title; its lines' types are none of the record's own."""
        game = self.game
        assert game.version == CONTRACT
        assert isinstance(game.edition, int)
        assert game.edition >= 1
        assert game.name
        assert game.name == game.name.strip().lower()
        assert fits(game.title, TEXT)
        assert len(game.race_name) <= ROLE
        tags = [line.__struct_config__.tag for line in (*STANDARD_LINES, *game.lines)]
        assert len(set(tags)) == len(tags), tags

    def test_its_seats_and_buttons_are_those_of_a_panel(self) -> None:
        """At most five seats and four buttons each, by names that fit."""
        game = self.game
        assert 1 <= game.seats.fewest <= game.seats.most <= len(Colour)
        assert len(game.seats.titles) in {0, *range(game.seats.most, len(Colour) + 1)}
        assert all(fits(title, ROLE) for title in game.seats.titles)
        assert len(game.seats.first) <= LABEL
        assert len(game.roles) <= 4
        assert len(set(game.roles)) == len(game.roles)
        assert all(fits(role, ROLE) for role in game.roles)
        self.verify_buttons(None, None)

    def test_what_it_asks_has_words_and_an_answer_that_it_takes(self) -> None:
        """Each parameter's default and its choices; what is outside is refused."""
        keys = [parameter.key for parameter in self.game.parameters]
        assert len(set(keys)) == len(keys)
        for parameter in self.game.parameters:
            assert fits(parameter.label, LABEL)
            assert parameter.kind == "yes-no" or not parameter.is_variant
            if parameter.kind == "choice":
                choices = [choice.key for choice in parameter.choices]
                assert len(set(choices)) == len(choices)
                assert parameter.default in choices
                assert all(fits(choice.label, LABEL) for choice in parameter.choices)
            if parameter.kind == "number":
                assert parameter.low <= int(parameter.default) <= parameter.high
            if parameter.kind == "file":
                assert isinstance(parameter.default, str)

    def test_the_files_that_come_along_can_be_played_with_and_what_is_wrong_with_others_is_told(self) -> None:
        """Samples and the usual file are faultless; of any other text it says what is wrong, by its lines."""
        game = completed(self.game)
        for parameter in game.parameters:
            samples = game.samples(parameter.key)
            assert parameter.kind == "file" or not samples
            assert len({sample.name for sample in samples}) == len(samples)
            if parameter.kind != "file":
                continue
            texts = [package_text(sample.text) for sample in samples]
            assert all(sample.name and sample.title and sample.title.isprintable() for sample in samples)
            for text in (*texts, *filter(None, [str(parameter.default)])):
                assert game.check_file(parameter.key, text) == ()
            halves = [text[: len(text) // 2] for text in texts]
            for text in ("", "\x00", "no such thing\n" * 3, "[[[\n", "ä = 1\n", *halves):
                self._verify_faults(game.check_file(parameter.key, text), text)

    def _verify_faults(self, faults: tuple[FileFault, ...], text: str) -> None:
        assert isinstance(faults, tuple)
        for fault in faults:
            assert isinstance(fault, FileFault)
            assert fault.says
            assert fault.says.isprintable()
            assert fault.line is None or 1 <= fault.line <= text.count("\n") + 1

    @pytest.mark.parametrize("seed", SEEDS)
    def test_a_file_that_it_finds_no_fault_in_can_be_started_with(self, seed: int) -> None:
        """Texts that are cut, doubled and mixed up: a fault names a line that there is, or the game starts."""
        random = Random(seed)
        for key, texts in self.files().items():
            assert [why for sample in self.whole.samples(key) if (why := why_no_name(sample.name))] == []
            assert key not in {sample.name for sample in self.whole.samples(key)}
            for text in (mixed(text, random) for text in texts for _ in range(MIXED)):
                faults = faults_of(self.game, key, text)
                assert all(fault.says for fault in faults)
                assert all(fault.line is None or 1 <= fault.line <= text.count("\n") + 1 for fault in faults)
                assert faults or self.starts_with(key, text, seed)

    def test_a_dry_run_counts_each_race_once(self, walk: Walk) -> None:
        """By each file that comes along over a match of its own: what agrees and what differs is all there is."""
        for _ in walk.states():
            pass
        record = standing_lines(walk.record, self.game.lines)
        for key, texts in self.files().items():
            for text in texts:
                run = self.whole.dry_run(key, text, record)
                assert run.races == run.agreed + len(run.differing)
                assert not (run.why_not and run.races)
                assert all(one.ruled and one.would and 1 <= one.race <= run.races for one in run.differing)

    @property
    def whole(self) -> AnyGame:
        """The game with the parts that it need not have."""
        return completed(self.game)

    def files(self) -> dict[str, list[str]]:
        """Give the texts that come along for each parameter that is a file: samples, and what stands unless said."""
        asked = [parameter for parameter in self.game.parameters if parameter.kind == "file"]
        texts = {p.key: [package_text(sample.text) for sample in self.whole.samples(p.key)] for p in asked}
        return {p.key: [*texts[p.key], *([str(p.default)] if p.default else [])] for p in asked}

    def starts_with(self, key: str, text: str, seed: int) -> bool:
        """Tell whether a match starts with a file; one that is for other seats than these is refused as Illegal."""
        setup = setup_of(self.game, Random(seed))
        files = {**(setup.files or {}), key: SetupFile("a file", text)}
        with suppress(Illegal):
            self.game.start(msgspec.structs.replace(setup, files=files))
        return True

    @pytest.mark.parametrize("seed", SEEDS)
    def test_a_setup_is_taken_or_refused(self, seed: int) -> None:
        """Answers that go together are taken; another edition, another value, another key is not."""
        random = Random(seed)
        setup = setup_of(self.game, random)
        verify_setup(self.game, setup)
        assert self.game.start(setup) == self.game.start(setup)
        wrong = [msgspec.structs.replace(setup, edition=setup.edition + 1)]
        wrong.append(msgspec.structs.replace(setup, parameters={"no such thing": True}))
        for parameter in self.game.parameters:
            if parameter.kind in {"number", "choice"}:
                out = parameter.high + 1 if parameter.kind == "number" else "no such thing"
                assert value_of(parameter, random) != out
                wrong.append(msgspec.structs.replace(setup, parameters={parameter.key: out}))
        for other in wrong:
            with pytest.raises(Malformed):
                Judge(only(self.game)).feed(other)

    def test_its_deck_can_be_counted_and_drawn(self) -> None:
        """Every card once, with as many copies as there are; every symbol that is named is there."""
        names = [card.name for card in self.game.deck]
        assert len(set(names)) == len(names)
        for game in (self.game, *self.speaking()):
            assert [card.name for card in game.deck] == names
            assert len({card.says for card in game.deck}) == len(names)
            assert all(fits(card.says, TEXT) for card in game.deck)
        for card in self.game.deck:
            assert fits(card.name, TEXT)
            assert card.copies >= 1
            assert not card.symbol or card.symbol in self.game.symbols
            assert card.counted(2) != card.counted(1)

    def test_its_symbols_can_be_drawn(self) -> None:
        """Seven rows of at most eight pixels, and strokes for pages."""
        assert {name: found for name, symbol in self.game.symbols.items() if (found := drawings.faults(symbol))} == {}
