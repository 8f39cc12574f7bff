"""The players of an event: how they are called, whether they are there, and who must not meet whom. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Illegal
from companion.core.words.texts import text

if TYPE_CHECKING:
    from companion.tournament.log.lines import (
        ApartLine,
        CheckedInLine,
        DroppedLine,
        EditedLine,
        PlayerLine,
    )


class Player(NamedTuple):
    """A player as entered. is_there: plays from the next drawing on. has_entered: has checked in at any time."""

    number: int
    name: str
    club: str = ""
    fixed: int | None = None
    is_there: bool = False
    has_entered: bool = False


class Players:
    """All players by number, from 1 without a gap."""

    def __init__(self) -> None:
        self.all: dict[int, Player] = {}
        self.apart: set[tuple[int, int]] = set()

    def __getitem__(self, number: int) -> Player:
        """Give a player. Raises Illegal where there is none of this number."""
        if number not in self.all:
            says = text("there is no player {number}: the event has {all}")
            raise Illegal(says.format(number=number, all=len(self.all)))
        return self.all[number]

    def there(self) -> tuple[Player, ...]:
        """Give those who would be in a drawing made now, by number."""
        return tuple(player for player in self.all.values() if player.is_there)

    def ever(self) -> tuple[int, ...]:
        """Give the numbers of those who have checked in at any time: the standings are theirs."""
        return tuple(player.number for player in self.all.values() if player.has_entered)

    def enter(self, line: PlayerLine) -> None:
        """Take a new player. Raises Illegal where the number is not the next, or another has this name and club."""
        if line.player != len(self.all) + 1:
            raise Illegal(f"the next player has the number {len(self.all) + 1}, not {line.player}")
        self._unlike_others(line)
        self.all[line.player] = Player(line.player, line.name, line.club, line.fixed)

    def edit(self, line: EditedLine) -> None:
        """Put an entry right. Raises Illegal."""
        player = self[line.player]
        self._unlike_others(line)
        self.all[line.player] = player._replace(name=line.name, club=line.club, fixed=line.fixed)

    def check_in(self, line: CheckedInLine) -> None:
        """Have a player be there. Raises Illegal."""
        player = self[line.player]
        if player.is_there:
            raise Illegal(text("{name} is checked in already").format(name=player.name))
        self.all[player.number] = player._replace(is_there=True, has_entered=True)

    def drop(self, line: DroppedLine) -> None:
        """Have a player leave. Raises Illegal."""
        player = self[line.player]
        if not player.is_there:
            raise Illegal(text("{name} is not checked in").format(name=player.name))
        self.all[player.number] = player._replace(is_there=False)

    def part(self, line: ApartLine) -> None:
        """Keep two players apart, or let them meet again. Raises Illegal."""
        one, other = (self[number] for number in sorted(line.players))
        pair = (one.number, other.number)
        if one is other:
            raise Illegal(text("choose two players: nobody is kept apart from themself"))
        if line.apart == (pair in self.apart):
            apart, together = text("{one} and {other} are kept apart already"), text("{one} and {other} may meet")
            raise Illegal((apart if line.apart else together).format(one=one.name, other=other.name))
        (self.apart.add if line.apart else self.apart.remove)(pair)

    def _unlike_others(self, line: PlayerLine | EditedLine) -> None:
        """Raises Illegal where another player has the same name and club: nobody could tell them apart on a print."""
        for other in self.all.values():
            if other.number != line.player and (other.name, other.club) == (line.name, line.club):
                says = text("player {number} is called {name} too: add the club, or a letter")
                raise Illegal(says.format(number=other.number, name=line.name))
