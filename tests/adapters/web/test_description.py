"""Requests made up from the API's own description (schemathesis): all of them are answered as it says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import one_of
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from companion.adapters.web.endpoints import ENDPOINTS
from companion.adapters.web.openapi import describe
from tests.adapters.web.served import PIN, Served, served
from tests.amounts import many

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemathesis.core.errors import InvalidSchema
    from schemathesis.core.result import Result
    from schemathesis.schemas import APIOperation

pytestmark = pytest.mark.slow  # asks every address with made-up requests

CHECKS = [
    not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance,
    unsupported_method,
]  # fmt: skip


@pytest.fixture(scope="module")
def box() -> Iterator[Served]:
    with served() as it:
        yield it


schema = schemathesis.openapi.from_dict(describe(ENDPOINTS, "test"))


def described(found: Result[APIOperation[Any, Any, Any, Any], InvalidSchema]) -> APIOperation[Any, Any, Any, Any]:
    assert isinstance(found, Ok), found
    return found.ok()


OPERATIONS = [described(found) for found in schema.get_all_operations()]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_every_address_answers_as_described_to_anybody_and_to_the_referee(operation: Any, box: Served) -> None:
    @settings(
        max_examples=many(15), phases=[Phase.generate], derandomize=True, suppress_health_check=[*HealthCheck]
    )  # fmt: skip
    @given(case=one_of([operation.as_strategy(generation_mode=mode) for mode in GenerationMode]))
    def ask(case: schemathesis.Case[Any]) -> None:
        if case.path == "/api/pin" or (case.path == "/api/session" and case.method == "DELETE"):
            case.call_and_validate(base_url=box.url, checks=CHECKS)  # as nobody: the referee would lose the desk
            return
        become_referee(box)
        case.call_and_validate(base_url=box.url, checks=CHECKS)
        case.call_and_validate(base_url=box.url, checks=CHECKS, cookies={"companion": box.referee.cookies["companion"]})

    ask()


def become_referee(box: Served) -> None:
    box.clock.ahead_ns += 700 * 10**9  # wrong PINs are forgotten, so that the next is looked at
    if not box.server.desk.guard.is_referee(box.referee.cookies.get("companion")):  # type: ignore[union-attr]
        box.clock.ahead_ns += 3600 * 10**9
        box.referee.post("/api/session", json={"pin": PIN})
