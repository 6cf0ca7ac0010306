import pytest

from lycosa.goals import Listed, check_goal
from small_sites import DictSite

SITE = DictSite({"a": ["b"], "b": []}, {"papers": ["b"]})
OTHER = DictSite({"b": ["a"], "a": []})


@pytest.mark.parametrize("goal", [Listed("papers", ["b"]), Listed.of(SITE, "papers")])
@pytest.mark.parametrize("site", [SITE, OTHER])
def test_reward_goes_by_url_whatever_the_numbers(goal, site):
    pages = [site.page(n) for n in range(len(site))]
    check_goal(goal, pages)
    assert {page.url: goal(page) for page in pages} == {"a": 0.0, "b": 1.0}


def test_of_a_site_takes_its_targets():
    assert Listed.of(SITE, "papers").urls == {"b"}
    assert repr(Listed.of(SITE, "papers")) == "<Listed papers: 1 URLs>"
