"use strict";
// Progressive enhancement: every page works without this script.

const root = document.documentElement;

function themes() {
  const button = document.getElementById("theme");
  const order = ["auto", "light", "dark"];
  const show = () => {
    const label = button.dataset[root.dataset.theme || "auto"];
    button.textContent = label;
    button.setAttribute("aria-label", `${button.dataset.colours}: ${label}`);
  };
  button.addEventListener("click", () => {
    const next = order[(order.indexOf(root.dataset.theme || "auto") + 1) % order.length];
    if (next === "auto") delete root.dataset.theme;
    else root.dataset.theme = next;
    try { localStorage.setItem("theme", next); } catch (error) { /* storage is blocked: the theme holds for this page only */ }
    show();
  });
  show();
}

function suggestions() {
  const input = document.getElementById("q");
  if (!input) return;
  const list = document.createElement("ul");
  list.id = "suggestions";
  list.className = "suggestions";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", input.dataset.suggestions);
  list.hidden = true;
  input.after(list);
  for (const [name, value] of Object.entries({
    role: "combobox", "aria-autocomplete": "list", "aria-controls": list.id,
    "aria-expanded": "false",
  })) input.setAttribute(name, value);
  let timer = 0, requests = 0, chosen = -1, typed = "";

  const close = () => {
    list.hidden = true;
    chosen = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const choose = (position) => {
    const items = list.children;
    chosen = (position + items.length + 2) % (items.length + 1) - 1;
    for (const [k, item] of [...items].entries()) {
      item.setAttribute("aria-selected", String(k === chosen));
    }
    input.value = chosen < 0 ? typed : items[chosen].textContent;
    if (chosen < 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", items[chosen].id);
  };
  const show = (words) => {
    list.replaceChildren(...words.map((word, k) => {
      const item = document.createElement("li");
      item.id = `suggestion-${k}`;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", "false");
      item.dir = "auto";
      item.textContent = word;
      item.addEventListener("pointerdown", (event) => event.preventDefault());
      item.addEventListener("click", () => {
        input.value = word;
        close();
        input.form.requestSubmit();
      });
      return item;
    }));
    if (!words.length) return close();
    chosen = -1;
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
  };
  const complete = async () => {
    const request = ++requests;
    typed = input.value;
    if (typed.trim().length < 2 || typed.length > 100) return close();
    try {
      const response = await fetch(`${input.dataset.complete}?q=${encodeURIComponent(typed)}`);
      if (!response.ok) return close();
      const found = await response.json();
      if (request === requests && document.activeElement === input) show(found.completions || []);
    } catch (error) {
      close();
    }
  };
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(complete, 120);
  });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    if (event.key === "ArrowDown") choose(chosen + 1);
    else if (event.key === "ArrowUp") choose(chosen - 1);
    else if (event.key === "Escape") {
      input.value = typed;
      close();
    } else return;
    event.preventDefault();
  });
}

function shortcuts() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    if (event.key === "/") {
      const input = document.getElementById("q");
      if (!input) return;
      event.preventDefault();
      input.focus();
      input.select();
    } else if (event.key === "j" || event.key === "k") {
      const links = [...document.querySelectorAll(".hits .title a, .works .title a")];
      if (!links.length) return;
      const here = links.indexOf(document.activeElement);
      const next = event.key === "j" ? Math.min(here + 1, links.length - 1) : Math.max(here - 1, 0);
      event.preventDefault();
      links[next].focus();
      links[next].scrollIntoView({ block: "center" });
    }
  });
}

function filters() {
  // On wide screens all filters are open; browsers without ::details-content need this script.
  const box = document.getElementById("filters");
  if (!box || CSS.supports("selector(::details-content)")) return;
  const wide = matchMedia("(min-width: 56rem)");
  const set = () => { box.open = wide.matches; };
  wide.addEventListener("change", set);
  set();
}

function years() {
  // Shows the years while they are being chosen; without this script they are shown after it.
  const form = document.querySelector(".years");
  if (!form) return;
  const [from, to] = form.querySelectorAll("[type=range]");
  const [low, high] = form.querySelectorAll("output");
  const show = () => {
    low.value = Math.min(from.value, to.value);
    high.value = Math.max(from.value, to.value);
  };
  form.addEventListener("input", show);
  show();
}

function copying() {
  // Browsers offer the clipboard to secure pages only.
  if (!navigator.clipboard) return;
  for (const text of document.querySelectorAll(".copyable")) {
    const labels = text.closest("[data-copy]").dataset;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet copy";
    button.textContent = labels.copy;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text.textContent);
      } catch (error) {
        getSelection().selectAllChildren(text); // for the reader to copy
        return;
      }
      button.textContent = labels.copied;
      setTimeout(() => { button.textContent = labels.copy; }, 2000);
    });
    text.after(button);
  }
}

const VISIT_MINUTES = 30; // between two visits

function visits() {
  // Kept in this browser alone.
  const { newest, home } = document.body.dataset;
  if (!newest) return;
  const key = `visit ${home}`, now = Date.now();
  let last = null;
  try { last = JSON.parse(localStorage.getItem(key)); } catch (error) { /* none */ }
  const ended = !last || !(now - last.time < VISIT_MINUTES * 60000);
  const before = String((ended ? last?.seen : last.before) || "");
  try {
    localStorage.setItem(key, JSON.stringify({ before, seen: newest, time: now }));
  } catch (error) {
    return; // storage is blocked
  }
  const link = document.getElementById("last-visit");
  if (before && link) showNew(link, `?since=${encodeURIComponent(before)}`);
}

async function showNew(link, since) {
  link.href += since;
  link.parentElement.hidden = false;
  try {
    const { total } = await (await fetch(`${link.dataset.count}${since}&size=1`)).json();
    link.nextElementSibling.textContent = total.toLocaleString(root.lang);
  } catch (error) { /* no count */ }
}

function graph() {
  const figure = document.getElementById("graph");
  if (!figure) return;
  const svg = figure.querySelector("svg"), canvas = figure.querySelector(".canvas");
  const nodes = [...svg.querySelectorAll(".node")], edges = [...svg.querySelectorAll(".edges line")];

  const highlight = (id) => {
    svg.classList.toggle("choosing", id !== null);
    const neighbours = new Set([id]);
    for (const edge of edges) {
      const { from, to } = edge.dataset;
      const touches = id !== null && (from === id || to === id);
      edge.classList.toggle("near", touches);
      if (touches) neighbours.add(from).add(to);
    }
    for (const node of nodes) {
      node.classList.toggle("near", id !== null && neighbours.has(node.dataset.id));
    }
  };
  for (const node of nodes) {
    for (const name of ["pointerenter", "focus"]) {
      node.addEventListener(name, () => highlight(node.dataset.id));
    }
    for (const name of ["pointerleave", "blur"]) node.addEventListener(name, () => highlight(null));
  }

  // The wheel with Ctrl, and two fingers, stretch the axis of time around the pointer.
  let width = parseFloat(svg.getAttribute("width"));
  const zoom = (factor, x) => {
    const before = width;
    width = Math.min(800, Math.max(100, width * factor));
    const at = x - canvas.getBoundingClientRect().left;
    const left = (canvas.scrollLeft + at) * width / before - at;
    svg.setAttribute("width", `${width}%`);
    canvas.scrollLeft = left;
  };
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.clientX);
  }, { passive: false });
  let apart = 0;
  const spread = ([a, b]) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  canvas.addEventListener("touchstart", (event) => {
    if (event.touches.length === 2) apart = spread(event.touches);
  }, { passive: true });
  canvas.addEventListener("touchmove", (event) => {
    if (event.touches.length !== 2 || !apart) return;
    event.preventDefault();
    const now = spread(event.touches);
    zoom(now / apart, (event.touches[0].clientX + event.touches[1].clientX) / 2);
    apart = now;
  }, { passive: false });
}

themes();
suggestions();
shortcuts();
filters();
years();
copying();
visits();
graph();
