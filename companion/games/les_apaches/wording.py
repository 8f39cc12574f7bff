"""The game's own words: what a line says, and the words that others are made of. Every text goes through `text`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.panel import Colour, each_with
from companion.core.record.lines import ByHand, ChanceLine
from companion.core.ruling.game import FieldValue, LineField
from companion.core.ruling.plain_game import PlainGame
from companion.core.words.texts import joined, listed, named
from companion.games.les_apaches.rules import lines
from companion.games.les_apaches.rules.districts import (
    LEADERS,
    LOOTS,
    NOVICES,
    NUMBERS,
    QUARTERS,
    REINFORCEMENTS,
    parted,
)
from companion.games.les_apaches.rules.state import State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.record.lines import Line

    Action = lines.Muster | lines.Prowl
    Deed = Action | lines.Draft | lines.Hideout | lines.Bail | lines.Unmask


class Wording(PlainGame[State]):
    """What lines are in words."""

    # -- small words -------------------------------------------------------------------------------------------------

    def colour_says(self, colour: Colour | str) -> str:
        """Give a gang's colour for people."""
        return Colour(colour).says

    def loot_says(self, loot: str) -> str:
        """Give what a hideout says, for people, at most 16 characters."""
        kind, francs = parted(loot)
        match kind:
            case "money":
                return self.text("{n} F").format(n=francs)
            case "burglary":
                return self.text("burglary {n} F").format(n=francs)
            case "theft":
                return self.text("theft")
            case "reinforcements":
                return self.text("reinforcements")
        return self._loss_says(kind)

    def _loss_says(self, kind: str) -> str:
        if kind == "wounded":
            return self.text("wounded")
        return self.text("killed") if kind == "killed" else self.text("jailed")

    def kind_says(self, kind: str) -> str:
        """Give a kind of figure for people."""
        if kind == "leader":
            return self.text("leader")
        return self.text("novice") if kind == "novice" else self.text("reinforcement")

    def figures_say(self, leaders: int, novices: int, reinforcements: int) -> str:
        """Say how many figures of each kind: "2 leaders, 1 novice"."""
        return joined(
            says
            for count, says in (
                (leaders, self.texts("{count} leader", "{count} leaders", leaders)),
                (novices, self.texts("{count} novice", "{count} novices", novices)),
                (reinforcements, self.texts("{count} reinforcement", "{count} reinforcements", reinforcements)),
            )
            if count
        )

    def strength_says(self, strength: Mapping[str, int]) -> str:
        """Say how many figures each gang has somewhere: "red 3, blue 1"."""
        return each_with(strength) or self.text("nobody")

    # -- lines -------------------------------------------------------------------------------------------------------

    def describe(self, line: Line, viewer: Colour | None = None) -> str:
        """Say what a line is; the order of the burghers to nobody."""
        match line:
            case lines.Draft() | lines.Muster() | lines.Prowl() | lines.Hideout() | lines.Bail() | lines.Unmask():
                return self.does_say(line.colour, self._deed(line))
            case lines.Unlaid():
                taken = self.text("taken away from {district}: {loot}")
                return taken.format(district=line.district, loot=self.loot_says(line.loot))
            case ChanceLine():
                return self.text("the burghers are put into a secret order")
            case ByHand():
                return self._by_hand_says(line)
        return super().describe(line, viewer)

    def _deed(self, line: Deed) -> str:
        """Say what a gang does."""
        match line:
            case lines.Draft():
                return self.text("takes a hideout of {district}").format(district=line.district)
            case lines.Hideout():
                return self._lays(line.district, line.loot)
            case lines.Bail():
                return self._pays(line.prisoners)
            case lines.Unmask():
                return self.text("has the policeman") if line.policeman else self.text("has no policeman")
        return self._action_says(line)

    def _lays(self, district: str, loot: str) -> str:
        return self.text("lays in {district}: {loot}").format(district=district, loot=self.loot_says(loot))

    def _pays(self, prisoners: int) -> str:
        if not prisoners:
            return self.text("pays no bail")
        return self.texts("pays bail for {count} prisoner", "pays bail for {count} prisoners", prisoners)

    def does_say(self, colour: Colour, does: str) -> str:
        """Say that a gang does something."""
        return joined((self.colour_says(colour), does), " ")

    def _by_hand_says(self, line: ByHand) -> str:
        what = named(line.set, self.set_says(line.set))
        says = self.text("by hand: {what} is {value}").format(what=what, value=line.value)
        return joined((says, f"({line.reason})"), " ") if line.reason else says

    def set_says(self, key: str) -> str:
        """Name what can be set by hand: of which gang, and in which district; a key that is none is as it is."""
        colour, _, rest = key.partition(" ")
        what, _, district = rest.partition(" ")
        if colour not in set(Colour) or what not in self.whats():
            return key
        return joined(filter(None, (Colour(colour).says, self.whats()[what], district)), " ")

    def whats(self) -> dict[str, str]:
        """Name what can be set by hand, shortly."""
        return {
            "money": self.text("money"),
            "leaders": self.text("leaders"),
            "novices": self.text("novices"),
            "reinforcements": self.text("reinf."),
            "hospital": self.text("hospital"),
            "jail": self.text("jail"),
            "killed": self.text("killed"),
            "burglaries": self.text("burglaries"),
        }

    def _action_says(self, line: Action) -> str:
        if isinstance(line, lines.Muster):
            who = self.figures_say(line.leaders, line.novices, line.reinforcements)
            return self.text("places in {district}: {figures}").format(district=line.district, figures=who)
        step = self.text("{figure} from {origin} to {target}")
        steps = (step.format(figure=self.kind_says(kind), origin=o, target=t) for kind, o, t in line.figures)
        return self.text("moves {steps}").format(steps=listed(steps))

    def fields(self, line: Line) -> tuple[LineField, ...]:
        """Give what in a line may have been meant otherwise."""
        match line:
            case lines.Draft():
                return (self._district_field(),)
            case lines.Hideout():
                return (self._district_field(), self._loot_field())
            case lines.Unlaid():
                return (self._loot_field(),)
            case lines.Muster():
                return (self._district_field(NUMBERS), *self._count_fields())
            case lines.Bail() | lines.Unmask():
                return (self._answer_field(line),)
        return ()

    def _answer_field(self, line: lines.Bail | lines.Unmask) -> LineField:
        if isinstance(line, lines.Bail):
            return LineField("prisoners", self.text("prisoners"), _counts(LEADERS))
        values = (FieldValue(False, self.text("no policeman")), FieldValue(True, self.text("the policeman")))
        return LineField("policeman", self.text("burghers"), values)

    def _district_field(self, numbers: tuple[int, ...] = QUARTERS) -> LineField:
        return LineField("district", self.text("district"), tuple(FieldValue(str(n), str(n)) for n in numbers))

    def _count_fields(self) -> tuple[LineField, ...]:
        return (
            LineField("leaders", self.text("leaders"), _counts(LEADERS)),
            LineField("novices", self.text("novices"), _counts(NOVICES)),
            LineField("reinforcements", self.text("reinforcements"), _counts(REINFORCEMENTS)),
        )

    def _loot_field(self) -> LineField:
        return LineField("loot", self.text("hideout"), tuple(FieldValue(one, self.loot_says(one)) for one in LOOTS))


def _counts(most: int) -> tuple[FieldValue, ...]:
    return tuple(FieldValue(count, str(count)) for count in range(most + 1))
