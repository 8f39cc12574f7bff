"""Assigning inputs by the knob and by pressing them."""

from companion.core.assigning.dialogue import Assigning


def chosen(assigning, *turns):
    for steps in turns:
        assigning.turn(steps)
        assigning.push()
    return assigning


def shown(assigning):
    scene = assigning.scene()
    return (*scene.lines, [item.label for item in scene.menu.items][scene.menu.cursor])


def test_a_button_is_picked_by_seat_and_place_and_then_pressed():
    assigning = chosen(Assigning(), 0, 1)
    assert assigning.wanted == "red second"
    assert shown(assigning) == ("Now press what shall be", "RED second", "back")
    assigning.assigned("RED second is now BTN_A of pad")
    assert assigning.wanted is None
    assert shown(assigning) == ("RED second is now BTN_A of pad", "third")


def test_the_knob_s_push_can_be_another_input_too():
    assert chosen(Assigning(), 5).wanted == "knob push"


def test_what_is_pressed_meanwhile_is_named():
    assigning = Assigning()
    assigning.touched("blue third")
    assert shown(assigning)[0] == "that is BLU third"


def test_one_gets_out_of_it_step_by_step():
    assigning = chosen(Assigning(), 1, 0)
    assigning.push()
    assert (assigning.wanted, assigning.is_left) == (None, False)
    assigning.leave()
    assert shown(assigning)[0] == "Whose button?"
    chosen(assigning, -1)
    assert assigning.is_left


def test_who_asked_from_elsewhere_is_done_with_one():
    assigning = Assigning("green first")
    assert assigning.wanted == "green first"
    assigning.assigned("done")
    assert assigning.is_left
    again = Assigning("green first")
    again.push()
    assert (again.wanted, again.is_left) == (None, True)
