"""The report of a live crawl: one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from html import escape
from importlib.metadata import version

from lycosa.crawler.http.faults import Fault
from lycosa.crawler.live.stop_reasons import stop_sentence
from lycosa.learn.log_odds import ContrastedWord
from lycosa.project.crawl_figures import Figures, NamedCount, PagesOverTime
from lycosa.reporting.chart import bar_chart, growth_chart
from lycosa.reporting.document import cells, document, heads, scrolling_table, section
from lycosa.reporting.text import duration, plural, printable, size

_MAX_TEXT_CHARACTERS = 120  # of a text from the web
_UNFOLDED_TARGETS = 10
_MAX_FAILED_SEEDS = 100
_UNKNOWN = "—"


def report(figures: Figures) -> str:
    """Return the HTML report of the figures of a crawl."""
    goal = (
        f"Looking for {printable(figures.goal)[:_MAX_TEXT_CHARACTERS]}"
        if figures.goal
        else "A crawl"
    )
    sections = (
        _failures(figures),
        _charts(figures),
        _newest(figures),
        _hosts(figures),
        _waits(figures),
        _answers(figures),
        _words(figures),
        _settings(figures),
    )
    return document(goal, _lead(figures), filter(None, sections), _facts(figures))


def _lead(figures: Figures) -> str:
    pages = plural(figures.steps, "page")
    sentences = [f"{plural(figures.targets, 'target')} in {pages}."]
    if figures.steps:
        rate = f"{100 * figures.targets / figures.steps:.3g}"
        sentences[0] = sentences[0][:-1] + f", {rate} for every 100."
    if figures.estimate is not None and figures.estimate.found:
        sentences.append(f"Of the targets within reach: {escape(str(figures.estimate))}.")
    if figures.at_work:
        sentences.append("The crawl is running.")
    elif figures.reason is None:
        sentences.append("The crawl was interrupted; it can be resumed.")
    else:
        sentences.append(escape(printable(stop_sentence(figures.reason))))
    return f"{' '.join(sentences)}</p><p>{_origin(figures)}"


def _origin(figures: Figures) -> str:
    """Return the spider, the seeds and the times of the crawl."""
    parts = [f"Spider {_or_dash(figures.spider)}"] if figures.spider else []
    if figures.seeds:
        more = f" and {len(figures.seeds) - 1:,} more" if len(figures.seeds) > 1 else ""
        parts.append(f"from {_link(figures.seeds[0])}{more}")
    if figures.began is not None:
        parts.append(f"{_moment(figures.began)} to {_moment(figures.ended)}")
    return ", ".join(parts)


def _facts(figures: Figures) -> dict[str, str]:
    seeds = [_link(seed) for seed in figures.seeds[:20]]
    if len(figures.seeds) > 20:
        seeds.append(f"and {len(figures.seeds) - 20:,} more")
    return {
        "Folder": f"<code>{escape(printable(figures.folder))}</code>",
        "Spider": _or_dash(figures.spider),
        "Started": _moment(figures.began),
        "Last page": _moment(figures.ended),
        "Runs": _count(figures.runs),
        "Running time": _UNKNOWN if figures.seconds is None else duration(figures.seconds),
        "Requests": _count(figures.requests),
        "URLs known": _count(figures.known),
        "URLs waiting": _count(figures.waiting),
        "Archive": size(figures.bytes),
        "Lycosa": version("lycosa"),
        "Seeds": "<br>".join(seeds) or _UNKNOWN,
    }


def _failures(figures: Figures) -> str:
    """Return the start pages that gave nothing, with causes, and the notices."""
    items = [
        f"<li>{_link(failed.url)}<br>{escape(printable(f'{failed.words} {failed.advice}'))}</li>"
        for failed in figures.failed_seeds[:_MAX_FAILED_SEEDS]
    ]
    if rest := len(figures.failed_seeds) - len(items):
        items.append(f"<li>and {rest:,} more</li>")
    parts = []
    if items:
        parts.append(section("failures", "Start pages that failed", f"<ul>{''.join(items)}</ul>"))
    if figures.notices:
        words = "".join(f"<li>{escape(printable(one.words))}</li>" for one in figures.notices)
        parts.append(section("notices", "Notices", f"<ul>{words}</ul>"))
    return "".join(parts)


def _charts(figures: Figures) -> str:
    if not figures.steps:
        return ""
    estimate = figures.estimate
    likely = bounds = None
    words = "How many targets there are is not known yet."
    if estimate is not None and estimate.is_known and estimate.low > 0:
        likely = estimate.total
        bounds = (estimate.found / estimate.high, estimate.found / estimate.low)
        low, high = map(_amount, bounds)
        words = f"Targets: between {low} and {high} (90 %), likely {_amount(likely)}."
    label = f"{plural(figures.targets, 'target')} in {plural(figures.steps, 'page')}"
    parts = [
        _figure("Targets over pages", words, growth_chart(figures.curve, label, likely, bounds))
    ]
    if figures.pace is not None and len(figures.pace.counts) > 1:
        parts.append(_pace(figures.pace))
    return section("course", "Course", f'<div class="figures">{"".join(parts)}</div>')


def _amount(number: float) -> str:
    return f"{number:,.0f}" if number < 1e9 else "any number"


def _pace(pace: PagesOverTime) -> str:
    began = datetime.fromisoformat(pace.began)
    span = pace.width * len(pace.counts)
    pattern = "%H:%M:%S" if span < 600 else "%H:%M" if span < 86_400 else "%d %b"
    across = [
        (place, (began + timedelta(seconds=span * place)).strftime(pattern))
        for place in (0.0, 1 / 3, 2 / 3, 1.0)
    ]
    rates = [count / pace.width for count in pace.counts]
    words = f"Pages a second, on average over {duration(pace.width)} each."
    chart = bar_chart(rates, across, began.strftime("from %Y-%m-%d, UTC"), "Pages over time")
    return _figure("Pages over time", words, chart)


def _figure(title: str, words: str, chart: str) -> str:
    return f"<figure><figcaption><h3>{title}</h3><p>{words}</p></figcaption>{chart}</figure>"


def _newest(figures: Figures) -> str:
    if not figures.newest:
        return section("newest", "Targets", "<p>No target was found yet.</p>")
    items = []
    for found in figures.newest:
        title = f"{_text(found.title)}<br>" if found.title else ""
        time = f'<time datetime="{escape(found.time)}">{_moment(found.time)}</time>'
        items.append(f"<li>{title}{_link(found.url)} {time}</li>")
    inside = _list(items[:_UNFOLDED_TARGETS])
    if rest := items[_UNFOLDED_TARGETS:]:
        more = f"<summary>{len(rest)} more</summary>{_list(rest, _UNFOLDED_TARGETS + 1)}"
        inside += f"<details>{more}</details>"
    some = "" if figures.targets == len(items) else f" {len(items)}"
    return section("newest", f"Newest{some} targets", inside)


def _list(items: Iterable[str], start: int = 1) -> str:
    return f'<ol class="found" start="{start}">{"".join(items)}</ol>'


def _hosts(figures: Figures) -> str:
    rows = []
    for host in figures.hosts:
        seconds = host.answer_seconds
        numbers = (
            f"{host.pages:,}",
            f"{host.targets:,}",
            f"{host.faults:,}",
            size(host.bytes),
            _UNKNOWN if seconds is None else duration(seconds),
        )
        rows.append((host.host, numbers))
    rest = figures.all_hosts - len(rows)
    words = f"<p>The hosts with most targets; {rest:,} more are not shown.</p>" if rest else ""
    columns = ("Pages", "Targets", "Faults", "Archive", "Response time")
    return _table("hosts", "Hosts", words, "Host", columns, rows)


def _waits(figures: Figures) -> str:
    rows = [
        (wait.host, (f"{wait.urls:,}", escape(printable(wait.why)), _left(wait.seconds)))
        for wait in figures.waits
    ]
    words = "<p>At the last commit of the crawl.</p>"
    return _table("waits", "Waiting hosts", words, "Host", ("URLs", "Why", "For"), rows)


def _left(seconds: float | None) -> str:
    return _UNKNOWN if seconds is None else duration(seconds)


def _answers(figures: Figures) -> str:
    parts = [
        _listing("Statuses", "Status", figures.statuses, figures.steps),
        _listing("Content types", "Type", figures.types, figures.steps),
    ]
    if figures.fault_names:
        parts.append(_faults(figures.fault_names))
    inside = f'<div class="figures">{"".join(parts)}</div>'
    return section("answers", "Responses and faults", inside) if figures.steps else ""


def _faults(numbers: Iterable[NamedCount]) -> str:
    meanings = {str(fault): fault.words for fault in Fault}
    body = "".join(
        f"<tr>{_row_head(number.name)}<td>{number.count:,}</td>"
        f'<td class="words">{meanings.get(number.name, "")}</td></tr>'
        for number in numbers
    )
    head = (
        f'<th scope="col">Fault</th>{heads(("Pages",))}<th scope="col" class="words">Meaning</th>'
    )
    table = scrolling_table("Faults", f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>")
    return f"<div><h3>Faults</h3>{table}</div>"


def _listing(title: str, head: str, numbers: Sequence[NamedCount], steps: int) -> str:
    rows = [
        (number.name or "(none)", (f"{number.count:,}", f"{100 * number.count / steps:.1f} %"))
        for number in numbers
    ]
    return (
        f"<div><h3>{title}</h3>{_scroll(title, head, ('Pages', 'Share'), rows)}</div>"
        if rows
        else ""
    )


def _words(figures: Figures) -> str:
    if not figures.target_words and not figures.other_words:
        return ""
    parts = []
    for title, words in (
        ("Of targets", figures.target_words),
        ("Of other pages", figures.other_words),
    ):
        rows = [_word(word) for word in words]
        if rows:
            columns = ("Targets", "Others", "z")
            parts.append(f"<div><h3>{title}</h3>{_scroll(title, 'Word', columns, rows)}</div>")
    return section(
        "words",
        "Words of URLs",
        "<p>Words that set targets apart from other pages, by weighted log-odds (Monroe, "
        "Colaresi &amp; Quinn 2008): their counts and z-scores.</p>"
        f'<div class="figures">{"".join(parts)}</div>',
    )


def _word(word: ContrastedWord) -> tuple[str, tuple[str, ...]]:
    return word.word, (f"{word.targets:,}", f"{word.others:,}", f"{word.z:+.1f}")


def _settings(figures: Figures) -> str:
    items = "".join(
        f"<div><dt>{escape(printable(key))}</dt><dd><code>{escape(printable(value))}</code></dd></div>"
        for key, value in figures.settings.items()
    )
    return section("settings", "Settings", f"<dl>{items}</dl>") if items else ""


def _table(
    name: str,
    title: str,
    words: str,
    head: str,
    columns: Iterable[str],
    rows: Sequence[tuple[str, Iterable[str]]],
) -> str:
    return section(name, title, words + _scroll(title, head, columns, rows)) if rows else ""


def _scroll(
    title: str, head: str, columns: Iterable[str], rows: Iterable[tuple[str, Iterable[str]]]
) -> str:
    """Return a table whose first column is untrusted text."""
    body = "".join(f"<tr>{_row_head(name)}{cells(values)}</tr>" for name, values in rows)
    return scrolling_table(
        title,
        f'<thead><tr><th scope="col">{head}</th>{heads(columns)}</tr></thead><tbody>{body}</tbody>',
    )


def _row_head(name: str) -> str:
    return f'<th scope="row">{_text(name)}</th>'


def _text(text: str) -> str:
    """Return untrusted text at a bounded length, isolated from the direction of other text."""
    text = printable(text)
    if len(text) > _MAX_TEXT_CHARACTERS:
        text = f"{text[: _MAX_TEXT_CHARACTERS - 1]}…"
    return f"<bdi>{escape(text)}</bdi>"


def _link(url: str) -> str:
    """Return a link without a referrer if the URL is http or https, or else text."""
    if not url.startswith(("http://", "https://")):
        return _text(url)
    return f'<a href="{escape(url)}" rel="noreferrer noopener">{_text(url)}</a>'


def _moment(time: str | None) -> str:
    if time is None:
        return _UNKNOWN
    return datetime.fromisoformat(time).strftime("%Y-%m-%d %H:%M:%S UTC")


def _count(number: int | None) -> str:
    return _UNKNOWN if number is None else f"{number:,}"


def _or_dash(text: str | None) -> str:
    return escape(printable(text)) if text else _UNKNOWN
