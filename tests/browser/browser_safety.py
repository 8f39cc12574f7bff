"""Who may change what: the PIN, its throttling, the Origin of requests and of the WebSocket, foreign hosts."""

from __future__ import annotations

import http.client
import json

from tests.browser.desk import begin_match, open_desk, open_page


def test_a_wrong_pin_is_refused_with_its_reason_and_the_right_one_opens_the_desk(box, new_context):
    context = new_context()
    page = open_page(context, f"{box.url}/referee")
    page.fill("#pin", "0" if box.pin != "0" else "1")
    page.keyboard.press("Enter")
    page.wait_for_selector("#pin-problem:visible")
    assert page.inner_text("#pin-problem") == "The PIN is wrong"
    assert page.locator(".desk").count() == 0
    page.fill("#pin", box.pin)
    page.keyboard.press("Enter")
    page.wait_for_selector(".desk")
    assert page.problems.pop().startswith("Failed to load resource: the server responded with a status of 403")


def test_the_pin_in_the_link_is_taken_out_of_the_address(box, new_context):
    page = open_desk(new_context(), box)
    assert page.url == f"{box.url}/referee"


def test_five_wrong_pins_are_enough(box, new_context):
    page = open_page(new_context(), f"{box.url}/referee")
    for _ in range(6):
        with page.expect_response("**/api/session"):
            page.fill("#pin", "9999999")
            page.keyboard.press("Enter")
        page.wait_for_selector(".pin button[type=submit]:enabled")
    page.wait_for_function("() => document.querySelector('#pin-problem').textContent.startsWith('Too many wrong PINs')")
    page.problems.clear()


def test_a_session_is_not_readable_by_scripts_and_ends_with_the_desk(box, new_context):
    context = new_context()
    page = open_desk(context, box)
    (cookie,) = context.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
    assert page.evaluate("document.cookie") == ""
    page.click("#log-out")
    page.wait_for_selector("#pin")
    assert page.evaluate("fetch('/api/end', {method: 'POST'}).then((answer) => answer.status)") == 401
    page.problems.clear()


def test_without_the_pin_nothing_can_be_changed(box, new_context):
    page = open_page(new_context(), f"{box.url}/table")
    changes = ["match", "reveal", "no-card", "close", "choose", "was-play", "undo", "replace", "end", "leave", "remark"]
    statuses = page.evaluate(
        """(all) => Promise.all(all.map((name) =>
            fetch(`/api/${name}`, {method: "POST"}).then((answer) => answer.status)))""",
        changes,
    )
    assert statuses == [401] * len(changes)
    page.problems.clear()


def test_another_site_can_neither_change_nor_listen(box, new_context):
    """A page that a referee opens beside the desk: its requests carry the cookie's box, and its own Origin."""
    context = new_context()
    desk = open_desk(context, box)
    begin_match(desk, "red", "yellow")
    context.route("http://evil.test/", lambda route: route.fulfill(content_type="text/html", body="<h1>a game</h1>"))
    evil = context.new_page()
    evil.goto("http://evil.test/")
    evil.evaluate(
        """(box) => fetch(`${box}/api/end`, {method: "POST", mode: "no-cors", credentials: "include", body: "{}"})
            .catch(() => null)""",
        box.url,
    )
    assert box.get("/api/state")["match"]["over"] is False
    heard = evil.evaluate(
        """(address) => new Promise((done) => {
            const socket = new WebSocket(address);
            socket.onopen = () => done("open");
            socket.onmessage = () => done("message");
            socket.onerror = () => done("refused");
        })""",
        box.url.replace("http:", "ws:") + "/ws",
    )
    assert heard == "refused"


def test_a_foreign_origin_and_a_foreign_host_are_refused_by_name(box):
    cases = [({"Origin": "http://evil.test"}, "/api/end", "POST"), ({"Host": "evil.test"}, "/api/state", "GET")]
    for headers, address, method in cases:
        connection = http.client.HTTPConnection("127.0.0.1", box.port, timeout=10)
        connection.request(method, address, "{}" if method == "POST" else None, headers)
        answer = connection.getresponse()
        assert (answer.status, json.loads(answer.read())["error"]["code"]) == (403, "wrong_origin")
        connection.close()


def test_the_policy_allows_no_inline_script_and_no_frame(box, new_context):
    page = open_page(new_context(), f"{box.url}/table")
    ran = page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.ran = true";
            document.body.append(script);
            return window.ran === true;
        }"""
    )
    assert ran is False
    page.problems.clear()
    headers = page.request.get(box.url).headers
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
