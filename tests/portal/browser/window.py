"""A window of a real browser on a portal."""

import json
from contextlib import contextmanager

from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait
from tools.chromium import set_window

PHONE, DESK = 360, 1280
SECONDS = 20  # limit of every wait; a busy machine is slow
_CACHE = "Network.clearBrowserCache"


class Window:
    """Opens pages by path and acts like a reader."""

    def __init__(self, driver, base, token):
        self.driver = driver
        self.base = base
        self._token = token
        self.shape()

    def shape(self, width=DESK, *, dark=False):
        set_window(self.driver, width, 740 if width == PHONE else 900, dark=dark)

    def open(self, path, *, fresh=False):
        if fresh:
            self.driver.execute_cdp_cmd(_CACHE, {})
        self.driver.get(self.base + path)
        return self

    @property
    def path(self):
        return self.driver.current_url.removeprefix(self.base)

    def one(self, css):
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def all(self, css):
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def texts(self, css):
        return [element.text for element in self.all(css)]

    def total(self):
        """Return the number of results that the page shows."""
        return int(self.one("#total").text.split()[0].replace(",", ""))

    def script(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def style(self, css, name):
        return self.script(f"return getComputedStyle(arguments[0]).{name}", self.one(css))

    def press(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def focused(self):
        return self.driver.switch_to.active_element

    def wait(self, condition):
        return WebDriverWait(self.driver, SECONDS, 0.05).until(lambda _: condition())

    @contextmanager
    def leaving(self):
        """Wait until the page that the block navigates to has loaded."""
        self.script("window.left = true")
        yield
        self.wait(lambda: self.script("return !window.left && document.readyState === 'complete'"))

    def follow(self, element):
        with self.leaving():
            element.click()

    def search(self, text):
        box = self.one("#q")
        box.clear()
        with self.leaving():
            box.send_keys(text, Keys.ENTER)

    def sign_in(self, then="/dashboard"):
        self.open(then)
        if "/sign-in" in self.path:
            self.one("#token").send_keys(self._token)
            self.follow(self.one("main button"))

    def requested_urls(self):
        """Return the URLs that were requested since the last call."""
        found = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return found

    def complaints(self):
        """Return the warnings and errors of the browser since the last call."""
        log = self.driver.get_log("browser")
        return [entry["message"] for entry in log if entry["level"] in ("SEVERE", "WARNING")]
