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

function graph() {
  const figure = document.getElementById("graph");
  if (!figure) return;
  const svg = figure.querySelector("svg"), canvas = figure.querySelector(".canvas");
  const nodes = new Map(), edges = [...svg.querySelectorAll(".edges path")];
  for (const element of svg.querySelectorAll(".node")) {
    const { id, x, y, r } = element.dataset;
    nodes.set(id, { element, x: +x, y: +y, r: +r });
  }
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  let scale = 1;

  const highlight = (id) => {
    svg.classList.toggle("choosing", id !== null);
    const neighbours = new Set([id]);
    for (const edge of edges) {
      const { from, to } = edge.dataset;
      const touches = id !== null && (from === id || to === id);
      edge.classList.toggle("near", touches);
      if (touches) neighbours.add(from).add(to);
    }
    for (const [other, node] of nodes) {
      node.element.classList.toggle("near", id !== null && neighbours.has(other));
    }
  };
  const draw = (id) => {
    const node = nodes.get(id);
    node.element.setAttribute("transform", `translate(${node.x} ${node.y})`);
    for (const edge of edges) {
      if (edge.dataset.from !== id && edge.dataset.to !== id) continue;
      const a = nodes.get(edge.dataset.from), b = nodes.get(edge.dataset.to);
      const middle = (a.x + b.x) / 2, turn = b.x <= a.x ? 1 : -1;
      edge.setAttribute("d",
        `M${a.x} ${a.y}C${middle} ${a.y} ${middle} ${b.y} ${b.x + turn * (b.r + 3)} ${b.y}`);
    }
  };
  const zoom = (factor) => {
    scale = Math.min(3, Math.max(0.4, scale * factor));
    svg.setAttribute("width", Math.round(width * scale));
    svg.setAttribute("height", Math.round(height * scale));
  };

  for (const [id, node] of nodes) {
    let start = null, moved = false;
    const element = node.element;
    element.addEventListener("pointerenter", () => highlight(id));
    element.addEventListener("pointerleave", () => highlight(null));
    element.addEventListener("focus", () => highlight(id));
    element.addEventListener("blur", () => highlight(null));
    element.addEventListener("dragstart", (event) => event.preventDefault());
    element.addEventListener("pointerdown", (event) => {
      if (event.button || event.pointerType === "touch") return;
      start = { x: event.clientX, y: event.clientY, left: node.x, top: node.y };
      moved = false;
    });
    addEventListener("pointermove", (event) => {
      if (!start) return;
      const x = (event.clientX - start.x) / scale, y = (event.clientY - start.y) / scale;
      if (Math.abs(x) + Math.abs(y) > 4) moved = true;
      if (!moved) return;
      node.x = Math.min(width - 20, Math.max(20, start.left + x));
      node.y = Math.min(height - 30, Math.max(30, start.top + y));
      draw(id);
    });
    addEventListener("pointerup", () => { start = null; });
    element.addEventListener("click", (event) => { if (moved) event.preventDefault(); });
  }
  const bar = document.createElement("p");
  bar.className = "zoom";
  for (const [label, words, factor] of [["+", "Larger", 1.25], ["–", "Smaller", 0.8]]) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet";
    button.textContent = label;
    button.setAttribute("aria-label", words);
    button.addEventListener("click", () => zoom(factor));
    bar.append(button);
  }
  figure.append(bar);
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.1 : 0.9);
  }, { passive: false });
  const centre = svg.querySelector(".centre");
  if (centre) canvas.scrollLeft = +centre.dataset.x - canvas.clientWidth / 2;
}

themes();
suggestions();
shortcuts();
filters();
graph();
