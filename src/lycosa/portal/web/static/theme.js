// Runs before the first paint: applies the chosen theme and marks that scripts run.
(function () {
  var root = document.documentElement, theme = null;
  root.classList.add("js");
  try { theme = localStorage.getItem("theme"); } catch (error) { /* storage is blocked */ }
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
})();
