"""Journeys of the owner: sign in, dashboard, correct a work, undo the correction."""

import pytest

from portal.sample import title_of, work_id


def test_refuses_a_wrong_token(nasty):
    nasty.open("/dashboard")
    assert nasty.path.startswith("/sign-in")
    nasty.one("#token").send_keys("a guess")
    nasty.follow(nasty.one("main button"))
    assert "not the owner's token" in nasty.one("[role=alert]").text
    assert nasty.one("#token").get_attribute("aria-invalid") == "true"


def test_the_dashboard_shows_the_crawl(real):
    real.sign_in()
    assert real.path == "/dashboard"
    assert {"Pages", "Targets", "Hosts"} <= set(real.texts(".figures dt"))
    assert all(chart.is_displayed() for chart in real.all(".charts svg"))
    assert len(real.all(".charts svg")) == 2
    assert len(real.all("section[aria-labelledby=hosts] tbody tr")) >= 3
    real.follow(real.one(".above button"))
    assert real.open("/dashboard").path.startswith("/sign-in")


@pytest.mark.parametrize("number", [3, 30])  # an ordinary one, and one whose title is a script
def test_corrects_a_title_and_undoes_it(nasty, number):
    work, better = work_id(number), "A <better> title & another"
    nasty.open(f"/work/{work}")
    nasty.follow(nasty.one(".actions a[href^='/correct']"))
    assert nasty.path.startswith("/sign-in")
    nasty.sign_in(f"/correct?work={work}")
    assert nasty.one("#title").get_attribute("value") == title_of(number)
    nasty.one("#title").clear()
    nasty.one("#title").send_keys(better)
    nasty.follow(nasty.one("#correct button"))
    assert "1 correction saved" in nasty.one("[role=status]").text
    assert nasty.one("#title").get_attribute("value") == better
    assert better in nasty.one(".corrections").text
    nasty.open("/dashboard")
    assert better in nasty.one(".corrections").text
    nasty.follow(nasty.one(".corrections tbody tr button"))
    assert nasty.one(".corrections tbody tr").get_attribute("class") == "undone"
    nasty.open(f"/correct?work={work}")
    assert nasty.one("#title").get_attribute("value") == title_of(number)


def test_marks_invalid_fields(nasty):
    nasty.sign_in(f"/correct?work={work_id(4)}")
    nasty.one("#year").clear()
    nasty.one("#year").send_keys("19")
    nasty.follow(nasty.one("#correct button"))
    year = nasty.one("#year")
    assert year.get_attribute("aria-invalid") == "true"
    message = nasty.one(f"#{year.get_attribute('aria-describedby')}").text
    assert "four digits" in message


def test_hides_a_work_and_adds_an_editor_without_scripts(plain, crawled):
    plain.sign_in("/editors")
    plain.one("#name").send_keys("ann")
    plain.follow(plain.one("#add button"))
    assert len(plain.one(".token").text) > 40
    plain.open("/exclude?what=host:nowhere.example")
    plain.one("#reason").send_keys("Nothing there.")
    plain.follow(plain.one("#exclude button"))
    assert plain.path.startswith("/dashboard")
    row = plain.one("section[aria-labelledby=exclusions] tbody tr")
    assert "host nowhere.example" in row.text
    plain.follow(row.find_element("css selector", "button"))
    assert plain.one("section[aria-labelledby=exclusions] tbody tr").get_attribute("class")
    plain.open("/audit")
    assert "undo exclusion" in plain.one("tbody tr").text
