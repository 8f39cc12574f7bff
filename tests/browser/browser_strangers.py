"""Strangers at the pages: the door, a second tab, a seat that is come back to, a puzzle before a PIN is looked at."""

from __future__ import annotations

import hashlib

from tests.browser.desk import open_desk, open_page, wait_state

REAL = '[source]\nkind = "none"\n[display]\nkind = "none"\n[buzzer]\nkind = "none"\n'


def give_seat(desk, phone, colour: str) -> None:
    phone.click(f'[data-key="ask {colour}"]')
    code = phone.inner_text(".code strong")
    desk.click(f"#phones-all:has-text('{code}') #grant-all")
    phone.wait_for_selector("body.is-ready .arcade")


def plays(phone, colour: str) -> None:
    phone.wait_for_function(
        f"() => document.querySelector('#phone .sentence')?.textContent.startsWith('This phone plays {colour}.')"
    )


def test_a_seated_phone_comes_back_in_another_tab_and_the_first_is_told(new_box, new_context):
    box = new_box("--game", "order", "--seats", "red,yellow", config=REAL)
    desk, context = open_desk(new_context(), box), new_context()
    first = open_page(context, f"{box.url}/panel")
    give_seat(desk, first, "red")
    second = open_page(context, f"{box.url}/panel")
    plays(second, "red")
    first.wait_for_selector("#take-back")
    assert "open in another place" in first.inner_text("#answer")
    first.click("#take-back")
    first.wait_for_selector("body.is-ready")
    second.wait_for_selector("#take-back")
    first.close()
    second.close()
    third = open_page(context, f"{box.url}/panel")
    plays(third, "red")
    third.wait_for_selector("body.is-ready .arcade")


def test_the_door_is_shut_at_the_desk_and_opened_again(new_box, new_context):
    box = new_box("--game", "order", "--seats", "red,yellow", config=REAL)
    desk = open_desk(new_context(), box)
    desk.wait_for_selector("#door:checked")
    desk.click("#door")
    wait_state(desk, "state.door_open === false")
    desk.wait_for_selector("#door:not(:checked)")
    desk.click("#door")
    wait_state(desk, "state.door_open === true")
    desk.wait_for_selector("#door:checked")


def test_a_desk_whose_session_ends_elsewhere_asks_for_the_pin_again(new_box, new_context):
    box = new_box("--game", "order", "--seats", "red,yellow", config=REAL)
    one, other = open_desk(new_context(), box), open_desk(new_context(), box)
    other.click("text=Another PIN")
    other.fill("input[name=new-pin]", "31415926")
    other.click("text=Change")
    one.wait_for_selector("#pin")
    assert "session has ended" in one.inner_text("#pin-problem")
    assert other.locator("#door").count() == 1


def test_the_page_s_hash_is_sha_256_and_a_puzzle_is_solved_before_the_pin_goes(new_box, new_context):
    box = new_box("--game", "order", "--seats", "red,yellow", config=REAL)
    page = open_page(new_context(), f"{box.url}/referee")
    texts = [
        ("x" * before, "7" * after) for before in (0, 1, 55, 64, 70, 130) for after in (0, 1, 8, 55, 56, 63, 64, 70)
    ]
    hashed = page.evaluate(
        """async (texts) => {
            const { beginning } = await import("/js/wire/work.js");
            return texts.map(([known, rest]) => beginning(known)(rest));
        }""",
        texts,
    )
    assert hashed == [int(hashlib.sha256((a + b).encode()).hexdigest()[:8], 16) for a, b in texts]
    asked: list[dict[str, object]] = []
    puzzle = "12.99.aa.bb"

    def answer(route):
        asked.append(route.request.post_data_json)
        if "work" in asked[-1]:
            route.continue_(post_data={"pin": asked[-1]["pin"]})
        else:
            error = {"code": "work_needed", "message": "solve a puzzle first"}
            route.fulfill(status=429, json={"error": error})

    page.route("**/api/session", lambda route: answer(route) if route.request.method == "POST" else route.continue_())
    page.route("**/api/session/puzzle", lambda route: route.fulfill(json={"puzzle": puzzle, "bits": 12}))
    page.fill("#pin", box.pin)
    page.keyboard.press("Enter")
    page.wait_for_selector("#door")
    work = asked[1]["work"]
    assert isinstance(work, dict)
    digest = hashlib.sha256(f"{work['puzzle']}:{work['number']}".encode()).hexdigest()
    assert int(digest, 16) >> (256 - 12) == 0
    page.problems.clear()


def test_a_code_is_asked_for_and_entered(new_box, new_context):
    box = new_box("--game", "order", "--seats", "red,yellow", config=REAL)
    page = open_page(new_context(), f"{box.url}/referee")
    page.click("#ask-code")
    page.wait_for_selector("#pin-problem:visible")
    assert "use the PIN" in page.inner_text("#pin-problem")
    page.route("**/api/session/ask-code", lambda route: route.fulfill(json={"ticket": "t", "seconds": 60}))
    page.click("#ask-code")
    page.fill("#code", "abcdef")
    with page.expect_request("**/api/session/code") as sent:
        page.keyboard.press("Enter")
    assert sent.value.post_data_json == {"ticket": "t", "code": "abcdef"}
    page.problems.clear()
