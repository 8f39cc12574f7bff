"""The game's own words: what a line says, the sentences of the readable account. Every text goes through `text`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.record.lines import ByHand, ChanceLine
from companion.core.ruling.game import FieldValue, LineField
from companion.core.ruling.plain_game import PlainGame
from companion.games.les_apaches.rules import lines
from companion.games.les_apaches.rules.districts import LOOTS, NUMBERS, QUARTERS, parted
from companion.games.les_apaches.rules.state import State

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.core.panel import Colour
    from companion.core.record.lines import Line
    from companion.core.ruling.rulings import Ruling

    Action = lines.Muster | lines.Prowl
    Deed = Action | lines.Draft | lines.Hideout | lines.Bail | lines.Unmask


class Wording(PlainGame[State]):
    """What lines and rulings are in words."""

    # -- small words -------------------------------------------------------------------------------------------------

    def colour_says(self, colour: Colour | str) -> str:
        """Give a gang's colour for people."""
        names = {
            "red": self.text("red"),
            "yellow": self.text("yellow"),
            "green": self.text("green"),
            "blue": self.text("blue"),
            "purple": self.text("purple"),
        }
        return names[str(colour)]

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
        return ", ".join(
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
        return ", ".join(f"{self.colour_says(colour)} {count}" for colour, count in strength.items()) or self.text(
            "nobody"
        )

    # -- lines -------------------------------------------------------------------------------------------------------

    def describe(self, line: Line, viewer: Colour | None = None) -> str:
        """Say what a line is; the order of the burghers to nobody."""
        match line:
            case lines.Draft() | lines.Muster() | lines.Prowl() | lines.Hideout() | lines.Bail() | lines.Unmask():
                return self._by(line.colour, self._deed(line))
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

    def _by(self, colour: Colour, does: str) -> str:
        return f"{self.colour_says(colour)} {does}"

    def _by_hand_says(self, line: ByHand) -> str:
        says = self.text("by hand: {what} is {value}").format(what=line.set, value=line.value)
        return f"{says} ({line.reason})" if line.reason else says

    def _action_says(self, line: Action) -> str:
        if isinstance(line, lines.Muster):
            who = self.figures_say(line.leaders, line.novices, line.reinforcements)
            return self.text("places in {district}: {figures}").format(district=line.district, figures=who)
        step = self.text("{figure} from {origin} to {target}")
        steps = (step.format(figure=self.kind_says(kind), origin=o, target=t) for kind, o, t in line.figures)
        return self.text("moves {steps}").format(steps=self.text(" and ").join(steps))

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
                return (self._district_field(NUMBERS),)
        return ()

    def _district_field(self, numbers: tuple[int, ...] = QUARTERS) -> LineField:
        return LineField("district", self.text("district"), tuple(FieldValue(str(n), str(n)) for n in numbers))

    def _loot_field(self) -> LineField:
        return LineField("loot", self.text("hideout"), tuple(FieldValue(one, self.loot_says(one)) for one in LOOTS))

    # -- rulings -----------------------------------------------------------------------------------------------------

    def sentences(self, ruling: Ruling) -> tuple[str, ...] | None:
        """Give what a ruling says in the account."""
        tell = self._tellers().get(type(ruling))
        return tell(ruling) if tell else None

    def _tellers(self) -> dict[type[Ruling], Callable[[Any], tuple[str, ...]]]:
        return {
            lines.Drafted: self._drafted,
            lines.Mustered: self._acted,
            lines.Prowled: self._acted,
            lines.Laid: self._laid,
            lines.Bailed: self._bailed,
            lines.LastLap: self._last_lap,
            lines.DistrictSettled: self._district,
            lines.RoundOver: self._round_over,
            lines.FinalAccount: self._account,
            lines.ApachesOutcome: self._outcome,
        }

    def _said(self, colour: Colour, does: str) -> str:
        return f"{self._by(colour, does)}."

    def _drafted(self, ruling: lines.Drafted) -> tuple[str, ...]:
        taken = "; ".join(
            f"{self.colour_says(colour)} {' '.join(map(str, districts))}" for colour, districts in ruling.hands.items()
        )
        return (self.text("Round {n}. Hideouts taken: {taken}.").format(n=ruling.round, taken=taken),)

    def _acted(self, ruling: lines.Mustered | lines.Prowled) -> tuple[str, ...]:
        if isinstance(ruling, lines.Mustered):
            line: Action = lines.Muster(
                colour=ruling.colour, district=ruling.district, leaders=ruling.leaders, novices=ruling.novices,
                reinforcements=ruling.reinforcements,
            )  # fmt: skip
            strengths = {str(ruling.district): ruling.strength}
        else:
            line, strengths = lines.Prowl(colour=ruling.colour, figures=ruling.figures), ruling.strengths
        there = self.text("Now in {district}: {strength}.")
        return (
            self._said(ruling.colour, self._action_says(line)),
            *(there.format(district=d, strength=self.strength_says(strength)) for d, strength in strengths.items()),
        )

    def _laid(self, ruling: lines.Laid) -> tuple[str, ...]:
        left = self.texts("{count} hideout left", "{count} hideouts left", ruling.left)
        return (self._said(ruling.colour, f"{self._lays(ruling.district, ruling.loot)}; {left}"),)

    def _bailed(self, ruling: lines.Bailed) -> tuple[str, ...]:
        says = self._pays(ruling.prisoners)
        paid = f": {self.text('{n} F').format(n=ruling.francs)}" if ruling.francs else ""
        return (self._said(ruling.colour, f"{says}{paid}"),)

    def _last_lap(self, ruling: lines.LastLap) -> tuple[str, ...]:
        order = ", ".join(map(self.colour_says, ruling.order))
        return (self.text("Last turn of round {n}, in this order: {order}.").format(n=ruling.round, order=order),)

    def _district(self, ruling: lines.DistrictSettled) -> tuple[str, ...]:
        where = self.text("District {n}").format(n=ruling.district)
        where += f" ({self.loot_says(ruling.loot)})" if ruling.loot else ""
        if ruling.colour is None:
            return (self.text("{where}: nobody gets anything.").format(where=where),)
        return (f"{where}, {self.strength_says(ruling.strength)}: {self._gain(ruling, ruling.colour)}.",)

    def _gain(self, ruling: lines.DistrictSettled, colour: Colour) -> str:
        found = [self.text("{n} F").format(n=ruling.francs)] if ruling.francs else []
        if ruling.given:
            gave = self.text("{colour} gives {n} F")
            given = (gave.format(colour=self.colour_says(one), n=francs) for one, francs in ruling.given.items())
            found.append("; ".join(given))
        if ruling.reinforcements:
            found.append(self.figures_say(0, 0, ruling.reinforcements))
        if ruling.lost:
            found.append(self.text("one leader is lost: {loot}").format(loot=self.loot_says(ruling.loot or "")))
        if ruling.burghers:
            found.append(self.text("takes a burgher, unseen"))
        return self._by(colour, ", ".join(found) or self.text("gets nothing"))

    def _round_over(self, ruling: lines.RoundOver) -> tuple[str, ...]:
        money = ", ".join(
            self.text("{colour} {n} F").format(colour=self.colour_says(one), n=n) for one, n in ruling.money.items()
        )
        says = [self.text("Round {n} is over: {money}.").format(n=ruling.round, money=money)]
        if back := {colour: count for colour, count in ruling.back.items() if count}:
            says.append(self.text("Back from hospital and jail: {who}.").format(who=self.strength_says(back)))
        if ruling.first is not None:
            says.append(self.text("{colour} is first player now.").format(colour=self.colour_says(ruling.first)))
        return tuple(says)

    def _account(self, ruling: lines.FinalAccount) -> tuple[str, ...]:
        parts = []
        if ruling.burghers:
            says = self.texts("{count} burgher", "{count} burghers", ruling.burghers)
            parts.append(self.text("{what} {n} F").format(what=says, n=ruling.burgher_francs))
        if ruling.policeman:
            parts.append(self.text("the policeman takes {n} F").format(n=ruling.policeman_francs))
            parts += [self.text("and a leader to jail")] if ruling.jailed else []
        says = self.texts("{count} figure", "{count} figures", ruling.fit)
        parts.append(self.text("{what} {n} F").format(what=says, n=ruling.fit_francs))
        total = self.text("in the end {n} F").format(n=ruling.money)
        return (f"{self.colour_says(ruling.colour)}: {', '.join((*parts, total))}.",)

    def _outcome(self, ruling: lines.ApachesOutcome) -> tuple[str, ...]:
        money = self.text("{colour} {n} F ({fit} fit for action)")
        gangs = (
            money.format(colour=self.colour_says(one), n=n, fit=ruling.fit[one]) for one, n in ruling.money.items()
        )
        says = self.text("Money: {gangs}.").format(gangs=", ".join(gangs))
        return (says,) if ruling.complete else (says, self.text("The final accounts have not been made."))
