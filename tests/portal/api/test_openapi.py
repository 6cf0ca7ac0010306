import json
import os
from functools import cache

import schemathesis
from hypothesis import HealthCheck, settings

from lycosa.portal.api import OPERATIONS
from lycosa.portal.api.openapi import document
from lycosa.portal.api.schemas import SCHEMAS
from lycosa.portal.api.token_operations import TOKEN_OPERATIONS
from lycosa.portal.web import Settings, make_app
from portal.web.portal_client import BASE, connect, shared_portal

EXAMPLES = int(os.environ.get("LYCOSA_EXAMPLES", "6"))
"""Examples for each operation; LYCOSA_EXAMPLES=1000 tries more."""

# Made of the table alone, so that collecting tests makes no portal.
promised = schemathesis.openapi.from_dict(document(OPERATIONS, "http://localhost", "", ""))


@cache
def app():
    return make_app(shared_portal(), Settings(rate=0.0))


async def served(scope, receive, send):
    if scope["type"] == "lifespan":  # of one example; the portal stays open for the next
        for event in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{event}.complete"})
        return
    await app()(scope, receive, send)


promised.app = served
# A URL may be too long even if each of its values is short enough.
for check in (
    promised.config.checks.negative_data_rejection,
    promised.config.checks.positive_data_acceptance,
):
    check.expected_statuses = [*check.expected_statuses, "414"]


@promised.parametrize()
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
def test_responses_conform_to_the_openapi_document(case):
    case.call_and_validate()


def test_the_document_lists_all_operations():
    with connect() as found:
        served = found.get("/openapi.json").json()
    again = document(OPERATIONS, BASE, served["info"]["title"], served["info"]["description"])
    assert served == json.loads(json.dumps(again))
    paths = [each.path for each in (*OPERATIONS, *TOKEN_OPERATIONS)]
    assert list(served["paths"]) == list(dict.fromkeys(paths))
    assert list(served["paths"]["/api/corrections"]) == ["get", "post"]


def test_every_schema_is_used_and_names_are_unique():
    text = json.dumps(document(OPERATIONS, BASE, "", ""))
    for name in SCHEMAS:
        assert f'"#/components/schemas/{name}"' in text, name
    names = [each.name for each in OPERATIONS]
    assert len(set(names)) == len(names)
    assert {each.schema for each in OPERATIONS} - {""} <= set(SCHEMAS)
