"""Sessions with the client of the package `mcp`, over HTTP and over standard input and output."""

import json
import os
import sys

import anyio
import pytest

from lycosa.errors import UsageError
from lycosa.portal.mcp import server
from portal.sample import work_id
from portal.web.portal_client import connect, shared_portal
from portal.web.served_portal import serving


@pytest.fixture(autouse=True)
def package():
    """The package, imported by the process that tests it: a second at every collection."""
    pytest.importorskip("mcp")


async def converse(target, page, mode="auto"):
    """Hold a session: list the tools, search, fetch what was found, and err."""
    import mcp

    async with mcp.Client(target, mode=mode) as client:
        assert "Spider papers" in client.instructions
        tools = (await client.list_tools()).tools
        assert {tool.name for tool in tools} == {"search", "fetch", "cites", "cited_by", "why"}
        assert all(tool.annotations.read_only_hint for tool in tools)
        found = await client.call_tool("search", {"query": "spiders", "size": 3})
        works = json.loads(found.content[0].text)["works"]
        assert len(works) == 3
        whole = await client.call_tool("fetch", {"id": works[0]["id"]})
        work = json.loads(whole.content[0].text)
        assert work["citation"]
        assert work.get("page") == (page and f"{page}/work/{works[0]['id']}")
        wrong = await client.call_tool("fetch", {"id": "w0"})
        assert wrong.is_error
        assert wrong.content[0].text == "There is no work 'w0'."


def test_a_session_over_http():
    with serving(shared_portal()) as address:
        for mode in ("auto", "legacy"):  # without and with a handshake, as older assistants do it
            anyio.run(converse, f"{address}/mcp", address, mode)


def test_a_session_over_standard_input_and_output():
    import mcp

    command = ["-m", "lycosa.cli", "mcp", str(shared_portal())]
    target = mcp.StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))
    anyio.run(converse, target, None)


def message(method, **parameters):
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}


ACCEPT = {"Accept": "application/json, text/event-stream"}


def test_the_limits_of_readers_hold_for_assistants():
    call = message("tools/call", name="fetch", arguments={"id": work_id(0)})
    with connect(rate=0.2) as client:  # a burst of one
        answers = [
            client.ask("POST", "/mcp", json=call, headers=ACCEPT).status_code for _ in range(3)
        ]
        assert (answers[0], answers[-1]) == (200, 429)
    with connect() as client:
        large = message("tools/call", name="search", arguments={"query": "x" * 70_000})
        assert client.ask("POST", "/mcp", json=large, headers=ACCEPT).status_code == 413
        assert client.get("/mcp", headers=ACCEPT).status_code == 405


def test_without_the_package_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setattr(server, "find_spec", lambda _name: None)
    with pytest.raises(UsageError, match=r"pip install 'lycosa\[mcp\]'"):
        server.serve_stdio(shared_portal())
    with connect() as client:
        assert client.ask("POST", "/mcp", json={}).status_code == 404
