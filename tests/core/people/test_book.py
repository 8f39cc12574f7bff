"""The list of players and the links, as a value."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Malformed
from companion.core.people.book import MOST_PEOPLE, MOST_SHARES, Book, Share, UnknownPerson

TOKEN = "t" * 22


def test_people_are_kept_once_in_the_order_of_the_alphabet() -> None:
    assert Book().with_people(["bob", "Ann", " ANN ", "Cleo"]).people == ("Ann", "bob", "Cleo")


def test_a_name_keeps_the_spelling_that_the_list_has() -> None:
    assert Book(people=("Ann",)).with_people(["ann"]).people == ("Ann",)


def test_a_wrong_name_changes_nothing() -> None:
    with pytest.raises(Malformed):
        Book().with_people(["Ann", "x" * 13])


def test_the_list_has_an_end() -> None:
    with pytest.raises(Illegal, match="delete some first"):
        Book().with_people(f"p{number}" for number in range(MOST_PEOPLE + 1))


def test_another_name_goes_with_the_links() -> None:
    book = Book(
        people=("Ann", "Bob"), shares=(Share(token=TOKEN, person="Ann"), Share(token=TOKEN, evening="2025-03-01"))
    )
    changed = book.renamed("ann", "Cleo")
    assert changed.people == ("Bob", "Cleo")
    assert [share.person for share in changed.shares] == ["Cleo", None]


def test_two_names_become_one_person() -> None:
    assert Book(people=("Ann", "Anna")).renamed("Anna", "Ann").people == ("Ann",)


def test_a_person_goes_with_the_links_that_show_them_and_no_others() -> None:
    shares = (
        Share(token=TOKEN, person="Ann"),
        Share(token=TOKEN, person="Bob"),
        Share(token=TOKEN, evening="2025-03-01"),
    )
    left = Book(people=("Ann", "Bob"), shares=shares).without("ANN")
    assert (left.people, left.shares) == (("Bob",), shares[1:])


def test_a_link_is_taken_back_once() -> None:
    book = Book().shared(Share(token=TOKEN, person="Ann"))
    assert book.unshared(TOKEN) == Book()
    with pytest.raises(UnknownPerson, match="taken back already"):
        book.unshared(TOKEN).unshared(TOKEN)


def test_links_have_an_end() -> None:
    book = Book(shares=(Share(token=TOKEN, person="Ann"),) * MOST_SHARES)
    with pytest.raises(Illegal, match="take some back first"):
        book.shared(Share(token=TOKEN, person="Bob"))


@pytest.mark.parametrize("of", [{}, {"person": "Ann", "evening": "2025-03-01"}])
def test_a_link_shows_one_thing(of: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="either a person or an evening"):
        Share(token=TOKEN, **of)
