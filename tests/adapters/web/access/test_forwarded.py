"""Who asks is who is connected, whatever a header says: no proxy stands before the box."""

from __future__ import annotations

from typing import Any

import pytest

from tests.adapters.web.served import served

CLAIMS = ("x-forwarded-for", "forwarded", "x-real-ip")


@pytest.mark.parametrize("header", CLAIMS)
def test_a_header_that_claims_another_address_changes_nothing_for_the_count_of_wrong_pins(
    header: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served() as box:
        assert box.server.desk is not None
        guard, asked_from = box.server.desk.guard, list[str]()
        log_in = guard.log_in

        def watched(address: str, *more: Any) -> Any:
            asked_from.append(address)
            return log_in(address, *more)

        monkeypatch.setattr(guard, "log_in", watched)
        for number in range(3):
            claimed = f"for=10.9.8.{number}" if header == "forwarded" else f"10.9.8.{number}"
            answer = box.client.post("/api/session", json={"pin": "000000"}, headers={header: claimed})
            assert answer.status_code == 403
        assert len(asked_from) == 3
        assert len(set(asked_from)) == 1
        assert "10.9.8" not in asked_from[0]
