import pytest

from lycosa.archive.replay_key import replay_key


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://127.0.0.1:8080/A/b/?b=2&a=1", "1,0,0,127:8080)/a/b?a=1&b=2"),
        ("http://www.example.org/%7Efoo/%2Fx?q=%C3%A9&A=B%20c",
         "org,example)/~foo/x?a=b%20c&q=%c3%a9"),
        ("http://www3.example.org/b", "org,example)/b"),
        ("http://a.example/?", "example,a)/"),
        ("http://a.example/x?phpsessid=0123456789abcdef0123456789abcdef&x=1", "example,a)/x?x=1"),
        ("http://a.example/a%25b", "example,a)/a%25b"),
        ("http://a.example/a%20b", "example,a)/a%20b"),
        ("http://a.example/x?a&b=&c", "example,a)/x?a&b=&c"),
        ("http://a.example/x//y/", "example,a)/x/y"),
        ("http://a.example/%E4?%ff=1", "example,a)/%e4?%ff=1"),
        ("http://a.example/a'b\"c|d", "example,a)/a'b\"c|d"),
        ("http://a.example/x/?a=1?b", "example,a)/x?a=1?b"),
    ],
)  # fmt: skip
def test_keys_are_those_that_replay_tools_look_up(url, key):
    assert replay_key(url) == key
