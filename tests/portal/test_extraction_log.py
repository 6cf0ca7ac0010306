"""The extraction log of a portal, and the template changes that it shows."""

from lycosa.portal.build.database import Database
from lycosa.portal.extraction_log import ExtractionCounts, template_changes

ALL, NO_TITLE = (True,) * 6, (True, False, True, True, True, True)


def read(folder, day, count, found, host="a.example"):
    counts = ExtractionCounts()
    for number in range(count):
        counts.add(f"http://{host}/{number}", f"2026-05-{day:02}T10:00:00+00:00", found)
    with Database.open(folder) as database:
        database.count_extraction(counts.rows())
        database.commit()


def test_a_field_that_is_not_found_any_more_is_reported_for_its_host(tmp_path):
    assert template_changes(tmp_path) == []
    for day in range(1, 6):
        read(tmp_path, day, 10, ALL)
        read(tmp_path, day, 10, NO_TITLE, "never.example")
    assert template_changes(tmp_path) == []
    read(tmp_path, 6, 4, NO_TITLE)
    read(tmp_path, 6, 6, NO_TITLE)  # rows of one day are added up
    [change] = template_changes(tmp_path)
    assert (change.host, change.field, change.since) == ("a.example", "title", "2026-05-06")
    assert (change.before, change.after) == (1.0, 0.0)
    assert "title found in 0% of documents since 2026-05-06, 100% before" in str(change)
