"""What rulings are in words: the sentences of the readable account. Every text goes through `text`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.panel import colours_say
from companion.core.words.texts import joined
from companion.games.les_apaches.rules import lines
from companion.games.les_apaches.wording import Wording

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.panel import Colour
    from companion.core.ruling.rulings import Ruling
    from companion.games.les_apaches.wording import Action


class Telling(Wording):
    """The sentences of the account."""

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
        return joined((self.does_say(colour, does), "."), "")

    def _drafted(self, ruling: lines.Drafted) -> tuple[str, ...]:
        taken = joined(
            (
                joined((self.colour_says(colour), *map(str, districts)), " ")
                for colour, districts in ruling.hands.items()
            ),
            "; ",
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
        left = self.texts("{count} hideout left.", "{count} hideouts left.", ruling.left)
        return (self._said(ruling.colour, self._lays(ruling.district, ruling.loot)), left)

    def _bailed(self, ruling: lines.Bailed) -> tuple[str, ...]:
        says = self._pays(ruling.prisoners)
        if ruling.francs:
            says = self.text("{pays}: {n} F").format(pays=says, n=ruling.francs)
        return (self._said(ruling.colour, says),)

    def _last_lap(self, ruling: lines.LastLap) -> tuple[str, ...]:
        order = colours_say(ruling.order)
        return (self.text("Last turn of round {n}, in this order: {order}.").format(n=ruling.round, order=order),)

    def _district(self, ruling: lines.DistrictSettled) -> tuple[str, ...]:
        where = self.text("District {n}").format(n=ruling.district)
        if ruling.loot:
            where = self.text("District {n} ({loot})").format(n=ruling.district, loot=self.loot_says(ruling.loot))
        if ruling.colour is None:
            return (self.text("{where}: nobody gets anything.").format(where=where),)
        says = self.text("{where}, {strength}: {gain}.")
        gain = self._gain(ruling, ruling.colour)
        return (says.format(where=where, strength=self.strength_says(ruling.strength), gain=gain),)

    def _gain(self, ruling: lines.DistrictSettled, colour: Colour) -> str:
        found = [self.text("{n} F").format(n=ruling.francs)] if ruling.francs else []
        if ruling.given:
            gave = self.text("{colour} gives {n} F")
            given = (gave.format(colour=self.colour_says(one), n=francs) for one, francs in ruling.given.items())
            found.append(joined(given, "; "))
        if ruling.reinforcements:
            found.append(self.figures_say(0, 0, ruling.reinforcements))
        if ruling.lost:
            found.append(self.text("one leader is lost: {loot}").format(loot=self.loot_says(ruling.loot or "")))
        if ruling.burghers:
            found.append(self.text("takes a burgher, unseen"))
        return self.does_say(colour, joined(found) or self.text("gets nothing"))

    def _round_over(self, ruling: lines.RoundOver) -> tuple[str, ...]:
        money = joined(
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
        says = self.text("{colour}: {parts}.")
        return (says.format(colour=ruling.colour, parts=joined((*parts, total))),)

    def _outcome(self, ruling: lines.ApachesOutcome) -> tuple[str, ...]:
        money = self.text("{colour} {n} F ({fit} fit for action)")
        gangs = (
            money.format(colour=self.colour_says(one), n=n, fit=ruling.fit[one]) for one, n in ruling.money.items()
        )
        says = self.text("Money: {gangs}.").format(gangs=joined(gangs))
        return (says,) if ruling.complete else (says, self.text("The final accounts have not been made."))
