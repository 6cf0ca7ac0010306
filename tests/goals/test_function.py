import numpy as np
import pytest

from lycosa.core import Page
from lycosa.errors import ContractError, UsageError
from lycosa.goals import Function
from small_sites import DictSite

PAGE = DictSite({"a": []}).page(0)


@pytest.mark.parametrize(
    ("answer", "reward"), [(True, 1.0), (False, 0.0), (3, 3.0), (0.5, 0.5), (np.float32(2), 2.0)]
)
def test_numbers_of_all_kinds_are_rewards(answer, reward):
    found = Function("f", lambda page: answer)(PAGE)
    assert (found, type(found)) == (reward, float)


@pytest.mark.parametrize("answer", [None, "1", -1, float("nan"), float("inf"), [1], np.ones(1)])
def test_anything_else_is_a_broken_contract(answer):
    with pytest.raises(ContractError, match=r"The function of goal 'f' gave a .*; return a number"):
        Function("f", lambda page: answer)(PAGE)


def test_an_exception_is_raised_with_the_page_in_a_note():
    with pytest.raises(ZeroDivisionError) as caught:
        Function("f", lambda page: 1 / 0)(PAGE)
    assert caught.value.__notes__ == ["It was raised by the function of goal 'f' on a."]


def test_the_function_is_not_called_for_failed_pages():
    asked = []
    assert Function("f", asked.append)(Page(0, PAGE.tables, error="timeout")) == 0
    assert asked == []


def test_misuse():
    with pytest.raises(UsageError, match="needs a name"):
        Function("", bool)
    with pytest.raises(UsageError, match="needs a function of a page; 3 cannot be called"):
        Function("f", 3)
