"""Style sheet of HTML reports. Line colours are those of Okabe & Ito, for colour blindness."""

from __future__ import annotations

STYLE = """
:root {
  --ground: #fff; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --shade: #f6f8fa;
  --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #cc79a7; --c4: #b07c00; --c5: #3a9bd1;
  --c6: #555;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0d1117; --ink: #e6edf3; --soft: #9da7b3; --line: #30363d; --shade: #161b22;
    --c0: #4aa8e0; --c1: #f08445; --c2: #2fc79b; --c3: #e3a3c6; --c4: #e6b33c; --c5: #8ed1f5;
    --c6: #c0c0c0;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem 1rem 2rem; max-width: 78rem;
  background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
h1 { font-size: clamp(1.5rem, 4vw, 2.1rem); line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.3rem; margin: 2.2rem 0 .4rem; }
h3 { font-size: 1.05rem; margin: 0; overflow-wrap: anywhere; }
p { margin: 0 0 .8rem; max-width: 46rem; color: var(--soft); }
code { font-size: .9em; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; }
.scroll:focus-visible { outline: 3px solid var(--c0); outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { padding: .4rem .75rem; text-align: right; white-space: nowrap; }
td { font-variant-numeric: tabular-nums; }
thead th { background: var(--shade); font-weight: 600; border-bottom: 1px solid var(--line); }
tbody tr + tr > * { border-top: 1px solid var(--line); }
tbody th { font-weight: 600; }
th[scope=row], th:not(.number), td.text, .mark { text-align: left; }
.figures {
  display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr));
}
figure {
  margin: 0; padding: .9rem; border: 1px solid var(--line); border-radius: 8px; min-width: 0;
  break-inside: avoid;
}
figcaption p { margin: 0 0 .4rem; font-size: .9rem; }
svg { display: block; }
.chart { width: 100%; max-width: 40rem; height: auto; overflow: visible; }
.chart text { font-size: 13px; fill: var(--soft); }
@media (max-width: 34rem) { .chart text { font-size: 16px; } }
.chart .end { text-anchor: end; }
.chart .middle { text-anchor: middle; }
.grid { stroke: var(--line); fill: none; }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.wide { fill: none; stroke: transparent; stroke-width: 12; pointer-events: stroke; }
.curve:hover .line { stroke-width: 4; }
.c0 { stroke: var(--c0); } .c1 { stroke: var(--c1); } .c2 { stroke: var(--c2); }
.c3 { stroke: var(--c3); } .c4 { stroke: var(--c4); } .c5 { stroke: var(--c5); }
.c6 { stroke: var(--c6); }
.bars { fill: var(--c0); }
.band { fill: var(--c1); opacity: .15; }
a { color: var(--c0); overflow-wrap: anywhere; }
th bdi {
  display: inline-block; max-width: min(32rem, 45vw); white-space: normal;
  overflow-wrap: break-word; vertical-align: top;
}
td.words { white-space: normal; min-width: 14rem; text-align: left; }
th.words { text-align: left; }
h3 + .scroll { margin-top: .3rem; }
.found { padding-left: 2.2rem; margin: .3rem 0; }
.found li { margin-bottom: .5rem; overflow-wrap: anywhere; }
.found li::marker { color: var(--soft); }
.found a { font-size: .92rem; }
.found time { color: var(--soft); font-size: .88rem; white-space: nowrap; }
summary { cursor: pointer; color: var(--soft); padding: .3rem 0; }
.legend {
  display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; margin: .5rem 0 0; padding: 0;
  list-style: none; font-size: .9rem;
}
.legend li { display: flex; align-items: center; gap: .4rem; overflow-wrap: anywhere; }
.legend span { color: var(--soft); font-variant-numeric: tabular-nums; }
.swatch { flex: none; }
.whisker circle { fill: var(--c0); }
.whisker .span { stroke: var(--c0); stroke-width: 2; }
footer { margin-top: 2.5rem; border-top: 1px solid var(--line); font-size: .9rem; }
dl {
  display: grid; gap: .2rem 2rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr));
}
dt { color: var(--soft); }
dd { margin: 0 0 .4rem; }
@media print {
  :root { --ground: #fff; --ink: #000; --soft: #333; --line: #bbb; --shade: #eee; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  .scroll { overflow: visible; border: 0; }
  table { font-size: 8pt; }
  th, td { padding: .15rem .35rem; white-space: normal; }
}
"""
