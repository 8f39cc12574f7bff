"""The API's description (OpenAPI 3.1), made from the table of addresses and the very types that read the bodies."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from companion.adapters.web.access.guard import COOKIE
from companion.adapters.web.wire.messages import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.adapters.web.endpoints import Endpoint

_REFUSED = {
    400: "Malformed: the message names the field",
    401: "The referee's session is needed",
    403: "Wrong PIN, or a page of another site",
    404: "There is no such thing",
    409: "Not possible now, or the record has changed",
    413: "The body is too large",
    429: "Too many wrong PINs; Retry-After says how long",
    503: "The box cannot do that: it is stopping, or its disk fails",
}


def describe(
    endpoints: Iterable[Endpoint],
    version: str,
    *,
    title: str = "Table companion",
    says: str = "Everything the referee box shows and everything its referee can do.",
) -> dict[str, Any]:
    """Give the description as plain values. title, says: of what is described."""
    table = list(endpoints)
    kinds = list(dict.fromkeys(k for e in table for k in (e.body, e.gives, Refusal) if k is not None))
    schemas, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    by_kind = dict(zip(kinds, schemas, strict=True))
    paths: dict[str, Any] = {}
    for endpoint in table:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint, by_kind)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": title,
            "version": version,
            "description": says,
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"referee": {"type": "apiKey", "in": "cookie", "name": COOKIE}},
        },
    }


def _operation(endpoint: Endpoint, by_kind: dict[Any, Any]) -> dict[str, Any]:
    good: dict[str, Any] = {"description": "Done"}
    if endpoint.media_type == "application/json":
        schema = by_kind[endpoint.gives] if endpoint.gives is not None else {"type": ["object", "array"]}
        good["content"] = {"application/json": {"schema": schema}}
    else:
        good["content"] = {endpoint.media_type: {"schema": {"type": "string"}}}
    refusals = {403, *endpoint.refusals}
    if endpoint.body is not None:
        refusals |= {400, 413}
    if endpoint.needs_pin:
        refusals.add(401)
    refused = {"content": {"application/json": {"schema": by_kind[Refusal]}}}
    operation: dict[str, Any] = {
        "summary": endpoint.says,
        "operationId": f"{endpoint.method.lower()} {endpoint.path}",
        "responses": {"200": good, **{str(s): {"description": _REFUSED[s], **refused} for s in sorted(refusals)}},
    }
    names = re.findall(r"{(\w+)}", endpoint.path)
    if names:
        operation["parameters"] = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
            for name in names
        ]
    if endpoint.body is not None:
        required = bool(msgspec.inspect.type_info(endpoint.body).fields)  # type: ignore[attr-defined]
        content = {"application/json": {"schema": by_kind[endpoint.body]}}
        operation["requestBody"] = {"required": required, "content": content}
    if endpoint.needs_pin:
        operation["security"] = [{"referee": []}]
    return operation
