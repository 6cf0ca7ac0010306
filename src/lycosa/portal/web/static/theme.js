// Before anything is drawn: the colours that this reader has chosen, and that scripts run.
(function () {
  var root = document.documentElement, theme = null;
  root.classList.add("js");
  try { theme = localStorage.getItem("theme"); } catch (error) { /* not kept, then */ }
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
})();
