"""Passwords of an event, and the file that they are kept in."""

from __future__ import annotations

import stat

import pytest

from companion.app.tournament.broker.access import DESK
from companion.app.tournament.broker.logins import FILE, draw_password, logins_for, read_logins, remove_login
from companion.core.errors import Malformed, Unavailable


def test_each_box_has_a_password_of_its_own_that_stays(tmp_path) -> None:
    first = logins_for(tmp_path, "cup", ["box-2", "box-1"])
    assert set(first) == {DESK, "box-1", "box-2"}
    assert len(set(first.values())) == 3
    later = logins_for(tmp_path, "cup", ["box-3", "box-1"])
    assert {user: later[user] for user in (DESK, "box-1")} == {user: first[user] for user in (DESK, "box-1")}
    assert read_logins(tmp_path) == first | later


def test_only_the_desk_can_read_them(tmp_path) -> None:
    logins_for(tmp_path, "cup", ["box-1"])
    path = tmp_path / FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o640)
    with pytest.raises(Unavailable, match="may be read by others: chmod 600"):
        logins_for(tmp_path, "cup", ["box-1"])


def test_a_password_in_wrong_hands_is_drawn_anew(tmp_path) -> None:
    first = logins_for(tmp_path, "cup", ["box-1", "box-2"])
    remove_login(tmp_path, "box-1")
    remove_login(tmp_path, "nobody")
    later = logins_for(tmp_path, "cup", ["box-1", "box-2"])
    assert later["box-1"] != first["box-1"]
    assert later["box-2"] == first["box-2"]


@pytest.mark.parametrize("content", ["box-1\n", "box-1:\n", "box-1:a\nbox-1:b\n", "\n"])
def test_a_file_that_is_not_whole_is_named_and_kept(tmp_path, content: str) -> None:
    path = tmp_path / FILE
    path.write_text(content)
    path.chmod(0o600)
    with pytest.raises(Malformed, match=r"is not whole: each line is USER:PASSWORD"):
        logins_for(tmp_path, "cup", ["box-1"])
    assert path.read_text() == content


def test_no_box_is_called_as_the_desk(tmp_path) -> None:
    with pytest.raises(Malformed, match="the desk's own name"):
        logins_for(tmp_path, "cup", [DESK])
    assert not (tmp_path / FILE).exists()


def test_a_password_has_signs_that_are_not_taken_for_others() -> None:
    drawn = draw_password()
    assert len(drawn) == 23
    assert drawn.count("-") == 3
    assert not set(drawn) & set("lo01")
