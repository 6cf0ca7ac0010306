import json
import os
from functools import cache

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import load_all_checks
from schemathesis.pytest.lazy import get_all_tests

from lycosa.portal.api import OPERATIONS
from lycosa.portal.api.openapi import document
from lycosa.portal.api.schemas import SCHEMAS
from lycosa.portal.api.token_operations import TOKEN_OPERATIONS
from lycosa.portal.web import Settings, make_app
from portal.web.portal_client import BASE, connect, shared_portal

EXAMPLES = int(os.environ.get("LYCOSA_EXAMPLES", "6"))
"""Examples for each operation; LYCOSA_EXAMPLES=1000 tries more."""


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


@pytest.fixture(scope="module")
def promised():
    """All that the document promises, checked against the application in this process."""
    found = schemathesis.openapi.from_dict(document(OPERATIONS, "http://localhost", "", ""))
    found.app = served
    load_all_checks()
    # A URL may be too long even if each of its values is short enough.
    checks = found.config.checks
    for check in (checks.negative_data_rejection, checks.positive_data_acceptance):
        check.expected_statuses = [*check.expected_statuses, "414"]
    return found


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
def conform(case):
    case.call_and_validate()


# Examples are made when a test runs: at collection every test process would make all of them.
@pytest.mark.parametrize("path", [each.path for each in OPERATIONS])
def test_responses_conform_to_the_openapi_document(promised, path):
    one = promised.include(path=path)
    [found] = get_all_tests(schema=one, test_func=conform, settings=None, given_kwargs=None)
    _, test = found.ok()
    test()


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
