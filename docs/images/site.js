// The theme's search dialog has no name of its own.
document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
