"""The game's own words: lines, sentences of the account, names of stages and pools. Every text may be translated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.panel import each_with
from companion.core.record.lines import ByHand, ChanceLine
from companion.core.ruling.plain_game import PlainGame
from companion.core.words.texts import joined
from companion.games.once_we_moved.judging.lines import (
    Casualties,
    Chieftains,
    Cost,
    Crossed,
    Deploy,
    Earned,
    Excess,
    Forces,
    ProvocationRuling,
    Reckoning,
    Reinforced,
    Removed,
    Segment,
    Stacked,
    Surplus,
    Trek,
    TurnRuling,
    Undisclosed,
    Unmasked,
    WindOutcome,
)
from companion.games.once_we_moved.judging.pools import KEYS, LEVELS
from companion.games.once_we_moved.judging.state import Stage, State

if TYPE_CHECKING:
    from companion.core.panel import Colour
    from companion.core.record.lines import Line
    from companion.core.ruling.rulings import Ruling


class Wording(PlainGame[State]):
    """What the game says, in its language."""

    def pool_says(self, pool: int) -> str:
        """Name a pool for people."""
        return (
            self.text("war bands"), self.text("rumours"), self.text("Apache leaders"), self.text("US senior leaders"),
            self.text("US junior leaders"), self.text("US units"), self.text("scout"), self.text("settler"),
            self.text("MX senior leader"), self.text("MX junior leaders"), self.text("MX units"),
        )[pool]  # fmt: skip

    def level_says(self, level: int) -> str:
        """Name a level of provocation for people."""
        return (
            self.text("none"), self.text("slight"), self.text("moderate"), self.text("major"), self.text("severe"),
            self.text("extreme"),
        )[level]  # fmt: skip

    def stage_says(self, stage: Stage) -> str:
        """Name a stage for people, in 20 characters."""
        return {
            Stage.PROVOCATION: self.text("A provocation"),
            Stage.PICK: self.text("A forces"),
            Stage.DEPLOY_APACHE: self.text("A Apache set up"),
            Stage.DEPLOY_ARMY: self.text("A Army sets up"),
            Stage.MOVE_1_APACHE: self.text("B 1st move: Apache"),
            Stage.LIMIT_1_APACHE: self.text("B limits: Apache"),
            Stage.MOVE_1_ARMY: self.text("B 1st move: Army"),
            Stage.LIMIT_1_ARMY: self.text("B limits: Army"),
            Stage.RUMOURS_1: self.text("B rumours"),
            Stage.REINFORCE: self.text("B reinforcements"),
            Stage.MOVE_2_APACHE: self.text("C 2nd move: Apache"),
            Stage.LIMIT_2_APACHE: self.text("C limits: Apache"),
            Stage.MOVE_2_ARMY: self.text("C 2nd move: Army"),
            Stage.LIMIT_2_ARMY: self.text("C limits: Army"),
            Stage.RUMOURS_2: self.text("C rumours"),
            Stage.COMBAT: self.text("D combat"),
            Stage.COUNT: self.text("E victory points"),
            Stage.END: self.text("last turn is over"),
            Stage.OVER: self.text("over"),
        }[stage]

    def toll_says(self, toll: str) -> str:
        """Name what points are for; what combat did is told as entered."""
        return {
            "rumours": self.text("rumours revealed"),
            "reinforced": self.text("strength reinforced"),
            "apache-lost": self.text("Apache strength lost in combat, as entered"),
            "army-lost": self.text("Army strength lost in combat, as entered"),
            "captured": self.text("leaders captured, as entered"),
            "forced": self.text("Apache strength forced to the reservation, as entered"),
            "kept": self.text("Apache strength not forced to the reservation, as entered"),
            "edge": self.text("Apache blocks at the map's edge"),
        }.get(toll, self.text("set by hand"))

    def key_says(self, key: str) -> str:
        """Name what can be set by hand, in 16 characters."""
        side, _, area = key.partition("-")
        if side in {"apache", "army"}:
            return joined((area, self.text("Apache") if side == "apache" else self.text("Army")), " ")
        return {
            "points-apache": self.text("Points Apache"), "points-army": self.text("Points Army"),
            "level-apache": self.text("Level Apache"), "level-army": self.text("Level Army"),
            "incursion": self.text("Incursion"), "turn": self.text("Turn"),
            "provocation": self.text("Provocation"), "out-bands": self.text("Bands out"),
            "out-rumours": self.text("Rumours out"), "out-leaders": self.text("Leaders out"),
            "out-us-senior": self.text("US seniors out"), "out-us-junior": self.text("US juniors out"),
            "out-us-units": self.text("US units out"), "out-scout": self.text("Scout out"),
            "out-settler": self.text("Settler out"), "out-mx-senior": self.text("MX senior out"),
            "out-mx-junior": self.text("MX juniors out"), "out-mx-units": self.text("MX units out"),
        }.get(key, key)  # fmt: skip

    def describe(self, line: Line, viewer: Colour | None = None) -> str:
        """Say what a line is: never which blocks were drawn."""
        match line:
            case ChanceLine(name="provocation") if line.result:
                says = self.text("the die of provocation: {die}").format(die=line.result[0])
            case ChanceLine() if line.name in KEYS:
                says = self.text("drawn unseen: {pool}").format(pool=self.pool_says(KEYS.index(line.name)))
            case Segment():
                crossed = self.text("{colour} is done, and has crossed the border")
                says = (crossed if line.crossed else self.text("{colour} is done")).format(colour=line.colour)
            case Deploy() | Trek() | Surplus() | Stacked() | Casualties():
                says = self._blocks(line)
            case _:
                says = self._numbers(line) or super().describe(line, viewer)
        return says

    def _blocks(self, line: Deploy | Trek | Surplus | Stacked | Casualties) -> str:
        """Say what a line does with blocks."""
        counted = self.texts("{count} block", "{count} blocks", line.tally)
        match line:
            case Deploy():
                says = self.text("{colour} sets up {counted} in {area}").format(
                    colour=line.colour, counted=counted, area=line.area
                )
            case Trek():
                says = self.text("{colour} moves {counted} from {whence} to {whither}").format(
                    colour=line.colour, counted=counted, whence=line.whence, whither=line.whither
                )
            case Surplus():
                says = self.text("{colour} was over a limit by {counted}").format(colour=line.colour, counted=counted)
            case Stacked():
                leaders = self.texts("{count} leader", "{count} leaders", line.tally)
                says = self.text("{colour} has {leaders} in {area}").format(
                    colour=line.colour, leaders=leaders, area=line.area
                )
            case Casualties():
                says = self.text("{colour} loses {counted} in {area} by combat").format(
                    colour=line.colour, counted=counted, area=line.area
                )
        return says

    def _numbers(self, line: Line) -> str:
        """Say what a line with a number is; empty for another one."""
        match line:
            case Undisclosed():
                says = self.text("drawn at the table, unseen by the box")
            case Chieftains():
                says = self.texts("{count} Apache leader is out", "{count} Apache leaders are out", line.tally)
            case Unmasked():
                says = self.texts("{count} rumour revealed", "{count} rumours revealed", line.tally)
                says = says if line.area is None else joined((says, line.area), ": ")
            case Reinforced():
                says = self.text("strength reinforced: {tally}").format(tally=line.tally)
            case Removed():
                says = self.text("{block} is out of the match").format(block=line.sticker)
            case Reckoning():
                says = joined((self.toll_says(line.toll), str(line.tally)), ": ")
            case ByHand():
                reason = " ".join(line.reason.split()) or "-"
                says = self.text("by hand: {what} is set to {value} ({reason})")
                says = says.format(what=self.key_says(line.set), value=line.value, reason=reason)
            case _:
                says = ""
        return says

    def sentences(self, ruling: Ruling) -> tuple[str, ...] | None:
        """Give the readable account's sentences for a ruling."""
        match ruling:
            case ProvocationRuling() | Forces() | Earned():
                return (self._of_the_turn(ruling),)
            case Cost() | Crossed() | Excess():
                return self._on_the_map(ruling)
            case TurnRuling():
                return self._turn(ruling)
            case WindOutcome():
                return self._outcome(ruling)
        return None

    def _of_the_turn(self, ruling: ProvocationRuling | Forces | Earned) -> str:
        """Say what the die did, what is out, what points are for."""
        match ruling:
            case ProvocationRuling():
                level = self.level_says(LEVELS.index(ruling.level))
                says = self.text("Turn {turn}: the die shows {die}, with {modifier} for the turn before: {level}.")
                return says.format(turn=ruling.turn, die=ruling.die, modifier=f"{ruling.modifier:+d}", level=level)
            case Forces():
                counts = enumerate(ruling.out.values())
                out = joined(joined((self.pool_says(pool), str(count)), " ") for pool, count in counts if count)
                return self.text("Out this turn: {out}.").format(out=out or self.text("nothing"))
            case Earned():
                points = self.texts("{count} victory point", "{count} victory points", ruling.points)
                says = self.text("{colour} gets {points}: {what}, {tally}.")
                what = self.toll_says(ruling.toll)
                return says.format(colour=ruling.colour, points=points, what=what, tally=ruling.tally)

    def _on_the_map(self, ruling: Cost | Crossed | Excess) -> tuple[str, ...]:
        """Say what a border costs, that one was crossed, that a limit took blocks off."""
        match ruling:
            case Cost():
                says = self._trek(ruling)
                return (says, self._crossing(ruling.colour)) if ruling.crossing else (says,)
            case Crossed():
                return (self._crossing(ruling.colour),)
            case Excess():
                counted = self.texts("{count} block", "{count} blocks", ruling.tally)
                if ruling.area is None:
                    says = self.text("Over the limit: {counted} of {colour} taken off, picked at random.")
                else:
                    says = self.text("Over the limit in {area}: {counted} of {colour} taken off, picked at random.")
                return (says.format(area=ruling.area, counted=counted, colour=ruling.colour),)

    def _trek(self, ruling: Cost) -> str:
        """Say where blocks go, and what each pays for it."""
        if ruling.points is None:
            pays = self.text("what each pays is not known")
        else:
            pays = self.texts(
                "each pays {count} movement point", "each pays {count} movement points", ruling.points
            )  # fmt: skip
        says = self.text("{colour} moves {counted} from {whence} to {whither}: {pays}.")
        counted = self.texts("{count} block", "{count} blocks", ruling.tally)
        return says.format(
            colour=ruling.colour, counted=counted, whence=ruling.whence, whither=ruling.whither, pays=pays
        )

    def _crossing(self, colour: Colour) -> str:
        return self.text("{colour} has crossed into Mexico: incursion yes.").format(colour=colour)

    def _turn(self, ruling: TurnRuling) -> tuple[str, ...]:
        """Say how a turn ended."""
        level = self.level_says(LEVELS.index(ruling.level))
        says = self.text("Turn {turn} is over ({level}). Victory points: {points}.").format(
            turn=ruling.turn, level=level, points=each_with(ruling.points)
        )
        if ruling.gains is None:
            gains = self.text("Nobody gains a victory level.")
        else:
            gains = self.text("{colour} gains a victory level.").format(colour=ruling.gains)
        incursion = self.text("Mexican incursion: yes.") if ruling.incursion else self.text("Mexican incursion: no.")
        return says, gains, incursion

    def _outcome(self, ruling: WindOutcome) -> tuple[str, ...]:
        """Say how the match stands."""
        says = self.text("Victory levels: {levels}, in turn {turn} of {turns}.").format(
            levels=each_with(ruling.levels), turn=ruling.turn, turns=ruling.turns
        )
        is_tie = ruling.over and len(ruling.leaders) > 1
        return (says, self.text("Equal levels: a tie.")) if is_tie else (says,)
